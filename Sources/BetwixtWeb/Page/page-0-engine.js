// How the engine stands in the page: `make-page` writes it as a text.

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

/** What `make-page` calls with the sizes of an engine and of its packed bytes, and these as a text. */
const unpacked = {
  gzip: (count, packedCount, text) => ofText(packedCount, text),
  lzma: (count, packedCount, text) => ofLZMA(ofText(packedCount, text), count),
};

