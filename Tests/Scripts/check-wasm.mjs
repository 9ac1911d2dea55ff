// Does betwixt-trips.wasm answer as the same sources do natively, byte for byte?
//
//   node check-wasm.mjs betwixt.js betwixt-trips.wasm PROGRAMS   what `WebPrograms 1000` wrote
//   node check-wasm.mjs betwixt.js betwixt-trips.wasm            what 10,000 insertions take
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [library, engine, programs] = process.argv.slice(2);
vm.runInThisContext(readFileSync(library, "utf8"));
const wasm = readFileSync(engine);

async function compare(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [place, programCount, stepCount, betwixt] = [0, 0, 0, null];
  while (place < bytes.length) {
    const [size, answerSize] = [view.getUint32(place), view.getUint32(place + 4)];
    const request = bytes.subarray(place + 8, place + 8 + size);
    const expected = bytes.subarray(place + 8 + size, place + 8 + size + answerSize);
    place += 8 + size + answerSize;
    if (size === 0) {
      programCount += 1;
      betwixt = await Betwixt.load(wasm);
      continue;
    }
    const answer = betwixt.rawAnswer(request);
    stepCount += 1;
    if (Buffer.compare(Buffer.from(answer), expected) !== 0) {
      console.log(`program ${programCount}, step ${stepCount}`);
      console.log("request ", Buffer.from(request).toString("hex"));
      console.log("native  ", Buffer.from(expected).toString("hex"));
      console.log("wasm    ", Buffer.from(answer).toString("hex"));
      process.exit(1);
    }
  }
  if (programCount === 0) throw new Error("there is no program");
  console.log(`${programCount} programs, ${stepCount} requests: the same answers, byte for byte`);
}

// A new engine is compiled while it runs, so a second list of the same engine shows what the engine
// itself takes.
async function measure() {
  const betwixt = await Betwixt.load(wasm, { now: () => 1_780_000_000_000 });
  for (const name of ["new engine", "used engine"]) {
    const list = betwixt.list();
    let place = 1n;
    const start = performance.now();
    for (let count = 0; count < 10_000; count++) {
      place = (place * 1_103_515_245n + 12_345n) % 2_147_483_648n;
      list.insert({ title: `item ${count}` }, { at: Number(place % BigInt(count + 1)) });
    }
    const middle = performance.now();
    const { digest } = list;
    const times = [middle - start, performance.now() - middle].map((time) => time.toFixed(1));
    console.log(`${name}: ${times.join(" ")} ${digest}`);
  }
}

await (programs ? compare(readFileSync(programs)) : measure());
