/** Before each file of the project `distributed`: what opens a world makes it of the engines of this profile. */
process.env.TEST_PROFILE = "distributed";
