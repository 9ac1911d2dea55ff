// What all empty arrays, sets and dictionaries share. Nobody writes to them: their count of references
// says that they are there for good.
//
// The optimizer reads this with the rest, and that they are constants tells it how it goes on wherever
// an empty one is made: the code for what may be in it goes. They stand on multiples of 16, where the
// compiler aligns its own to four bytes: a `Span` of an empty array of numbers of eight bytes would trap
// where the linker put that in between. Definitions like these win over those of the compiler.

#include <stdint.h>

#define SHARED extern const __attribute__((aligned(16))) uint32_t

SHARED empty_array[4] __asm__("$es23_swiftEmptyArrayStorageSi_S3itvp");
const uint32_t empty_array[4] = {0, 0xffffffff, 0, 1};

SHARED empty_set[9] __asm__(
  "$es23_swiftEmptySetSingletonSi_S3is5UInt8VACs6UInt16Vs6UInt32VS3itvp");
const uint32_t empty_set[9] = {0, 0xffffffff, 0, 0, 0, 0, 0, 1, 0xfffffffe};

SHARED empty_dictionary[10] __asm__(
  "$es30_swiftEmptyDictionarySingletonSi_S3is5UInt8VACs6UInt16Vs6UInt32VS4itvp");
const uint32_t empty_dictionary[10] = {0, 0xffffffff, 0, 0, 0, 0, 0, 1, 1, 0xfffffffe};
