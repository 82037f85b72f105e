/** The browser is looked for when it is needed; installing downloads none. @type {import("puppeteer").Configuration} */
module.exports = { skipDownload: true };
