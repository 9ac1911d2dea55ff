// How the page stands in its file: `make-page` writes scripts, trips and the engine as one text.

/**
 * The bytes of a text that holds seven bits in a character.
 *
 * The characters above 255 hold fourteen: which one of six could not stand in the text, and what
 * followed it.
 */
function ofText(count, text) {
  const barred = [0, 10, 13, 34, 60, 92];
  const bytes = new Uint8Array(count);
  let [place, bits, bitCount] = [0, 0, 0];
  const take = (symbol) => {
    bits = (bits << 7) | symbol;
    bitCount += 7;
    if (bitCount < 8 || place === count) return;
    bitCount -= 8;
    bytes[place++] = bits >> bitCount;
    bits &= (1 << bitCount) - 1;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 256) take(barred[(code >> 7) - 2]);
    take(code & 127);
  }
  return bytes;
}

/**
 * The bytes that `xz --format=lzma` has packed.
 *
 * The format: https://7-zip.org/sdk.html, LZMA specification. A bit is read with the probability that
 * it had where it stood before; a code is a byte, or a distance and how many bytes to repeat from there.
 */
function ofLZMA(input, count) {
  const output = new Uint8Array(count);
  const probabilities = (size) => new Uint16Array(size).fill(1024);
  const [literalBits, rest] = [input[0] % 9, Math.floor(input[0] / 9)];
  const [literalPlace, placeMask] = [(1 << (rest % 5)) - 1, (1 << Math.floor(rest / 5)) - 1];
  let next = 18;
  let [code, range] = [0, 0xffffffff];
  for (let index = 14; index < 18; index++) code = ((code << 8) | input[index]) >>> 0;

  const normalize = () => {
    if (range >= 0x1000000) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | input[next++]) >>> 0;
  };
  const bit = (table, index) => {
    const bound = (range >>> 11) * table[index];
    let value = 0;
    if (code < bound) {
      range = bound;
      table[index] += (2048 - table[index]) >> 5;
    } else {
      range -= bound;
      code -= bound;
      table[index] -= table[index] >> 5;
      value = 1;
    }
    normalize();
    return value;
  };
  const tree = (table, start, bits) => {
    let node = 1;
    for (let index = 0; index < bits; index++) node = 2 * node + bit(table, start + node);
    return node - (1 << bits);
  };
  const reversed = (table, start, bits) => {
    let [node, value] = [1, 0];
    for (let index = 0; index < bits; index++) {
      const one = bit(table, start + node);
      node = 2 * node + one;
      value |= one << index;
    }
    return value;
  };
  const direct = (bits) => {
    let value = 0;
    for (let index = 0; index < bits; index++) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code -= range;
      value = (value << 1) | one;
      normalize();
    }
    return value;
  };
  const lengths = () => {
    const [choice, low, middle, high] = [2, 128, 128, 256].map(probabilities);
    return (place) => {
      if (!bit(choice, 0)) return 2 + tree(low, 8 * place, 3);
      if (!bit(choice, 1)) return 10 + tree(middle, 8 * place, 3);
      return 18 + tree(high, 0, 8);
    };
  };

  const literals = probabilities(0x300 * (literalPlace + 1) << literalBits);
  const [isMatch, isShortRepeat] = [probabilities(192), probabilities(192)];
  const [isRepeat, isOther, isSecond, isThird] = [12, 12, 12, 12].map(probabilities);
  const [slots, near, aligned] = [256, 128, 16].map(probabilities);
  const [matchLength, repeatLength] = [lengths(), lengths()];
  let [state, place] = [0, 0];
  let distances = [0, 0, 0, 0];

  const literal = () => {
    const before = place ? output[place - 1] : 0;
    const context = ((place & literalPlace) << literalBits) + (before >> (8 - literalBits));
    const start = 0x300 * context;
    let symbol = 1;
    if (state >= 7) {
      let expected = output[place - distances[0] - 1];
      while (symbol < 256) {
        const matched = (expected >> 7) & 1;
        expected <<= 1;
        const one = bit(literals, start + ((1 + matched) << 8) + symbol);
        symbol = 2 * symbol + one;
        if (one !== matched) break;
      }
    }
    while (symbol < 256) symbol = 2 * symbol + bit(literals, start + symbol);
    output[place++] = symbol & 255;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };
  const distance = (length) => {
    const slot = tree(slots, 64 * Math.min(length - 2, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + reversed(near, base - slot, bits);
    return base + 16 * direct(bits - 4) + reversed(aligned, 0, 4);
  };
  const repeat = (length) => {
    if (distances[0] >= place || length > count - place) throw new Error("damaged");
    for (const end = place + length; place < end; place++) {
      output[place] = output[place - distances[0] - 1];
    }
  };

  while (place < count) {
    const step = place & placeMask;
    if (!bit(isMatch, 16 * state + step)) {
      literal();
    } else if (!bit(isRepeat, state)) {
      const length = matchLength(step);
      distances = [distance(length), distances[0], distances[1], distances[2]];
      state = state < 7 ? 7 : 10;
      repeat(length);
    } else {
      const from = bit(isOther, state) ? 1 + (bit(isSecond, state) && 1 + bit(isThird, state)) : 0;
      if (from === 0 && !bit(isShortRepeat, 16 * state + step)) {
        state = state < 7 ? 9 : 11;
        repeat(1);
        continue;
      }
      distances.unshift(...distances.splice(from, 1));
      const length = repeatLength(step);
      state = state < 7 ? 8 : 11;
      repeat(length);
    }
  }
  return output;
}

/**
 * The bytes of an engine, of whose instructions the parts were laid apart to pack better; how is said in
 * `Arranger.swift`, which goes the same way.
 */
function ofStreams(bytes, [start, stop, ...sizes]) {
  const recent = Uint16Array.from({ length: 65536 }, (_, index) => index);
  const [outside, main, heads, reads, writes, branches, constants, wideConstants, offsets] =
    sizes.map((_, index) => index);
  let total = 0;
  const places = sizes.map((size) => (total += size) - size);
  // A local takes three bytes at most, and one as it stands here at least.
  const output = new Uint8Array(total + 2 * (sizes[reads] + sizes[writes]));
  let [place, named] = [0, 0];

  const byte = (stream) => (output[place++] = bytes[places[stream]++]);
  const read = (next) => {
    for (let [number, shift] = [0, 0]; ; shift += 7) {
      const byte = next();
      number |= (byte & 127) << shift;
      if (byte < 128) return number >>> 0;
    }
  };
  const number = (stream) => read(() => byte(stream));
  const times = (count, stream, take) => {
    for (let index = 0; index < count; index++) take(stream);
  };
  const local = (stream) => {
    const rank = read(() => bytes[places[stream]++]);
    let rest = recent[rank];
    recent.copyWithin(1, 0, rank);
    recent[0] = rest;
    named = Math.max(named, rank + 1);
    for (; rest > 127; rest >>= 7) output[place++] = rest | 128;
    output[place++] = rest;
  };
  const instruction = () => {
    const code = byte(main);
    if (code === 0x20) local(reads);
    else if (code === 0x21 || code === 0x22) local(writes);
    else if (code === 0x0c || code === 0x0d) number(branches);
    else if (code === 0x41) number(constants);
    else if (code === 0x42) number(wideConstants);
    else if (code >= 0x28 && code <= 0x3e) {
      number(main);
      number(offsets);
    } else if ([0x02, 0x03, 0x04, 0x10, 0x23, 0x24, 0x3f, 0x40].includes(code)) number(main);
    else if (code === 0x11) times(2, main, number);
    else if (code === 0x0e) times(number(main) + 1, main, number);
    else if (code === 0x43) times(4, main, byte);
    else if (code === 0x44) times(8, main, byte);
    else if (code === 0xfc) times([2, 1][number(main) - 10] ?? 0, main, number);
  };

  times(start, outside, byte);
  while (place < stop) {
    for (let index = 0; index < named; index++) recent[index] = index;
    named = 0;
    const size = number(heads);
    const end = place + size;
    for (let groups = number(heads); groups > 0; groups--) {
      number(heads);
      byte(heads);
    }
    while (place < end) instruction();
  }
  while (places[outside] < sizes[outside]) byte(outside);
  return output.subarray(0, place);
}

// What the scripts of the page take as `Betwixt.embedded`.
let pageEngine;

/**
 * Starts the page: `make-page` calls this with the format and the size of what is packed, the sizes of
 * its parts, and the text. First come the scripts, then the engine.
 */
async function start(format, packedSize, [scripts, ...engine], text) {
  const size = engine.slice(2).reduce((sum, size) => sum + size, scripts);
  let bytes = ofText(packedSize, text);
  if (format === "lzma") bytes = ofLZMA(bytes, size);
  else {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  pageEngine = ofStreams(bytes.subarray(scripts), engine);
  const element = document.createElement("script");
  element.textContent = new TextDecoder().decode(bytes.subarray(0, scripts));
  document.body.append(element);
}

