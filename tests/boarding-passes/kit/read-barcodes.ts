import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { prepareZXingModule, type ReadInputBarcodeFormat, readBarcodes } from "zxing-wasm/reader";

const require = createRequire(import.meta.url);
let prepared = false;

/** The decoder is a WebAssembly module, which it would else fetch. */
function prepare(): void {
  if (prepared) return;
  prepared = true;
  const wasm = readFileSync(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: false });
}

/** The texts of all barcodes of a picture, from the top. */
export async function barcodesIn(png: Uint8Array, format: ReadInputBarcodeFormat): Promise<readonly string[]> {
  prepare();
  const found = await readBarcodes(new Uint8Array(png), { formats: [format], tryHarder: true, maxNumberOfSymbols: 20 });
  return [...found]
    .sort((one, other) => one.position.topLeft.y - other.position.topLeft.y)
    .map(({ text, error }) => (error === "" ? text : `unreadable: ${error}`));
}
