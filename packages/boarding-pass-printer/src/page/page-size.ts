/** A5, lying: half of the A4 sheet it is printed on at home, and legible on a screen. Millimetres. */
export const PAGE_WIDTH = 210;
export const PAGE_HEIGHT = 148;
