// What Embedded Swift takes from a C library, for a page: memory, and little more. Nothing here
// calls out of the module, and there is no clock and no randomness.

#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;

// MARK: Memory
//
// A block has the size of a power of two, or from 32 bytes on one and a half of it, and 16 bytes
// before it that say which. Free blocks of one size are a list. What is freed is used again for the same size only:
// sizes of a growing list repeat, and nothing has to be searched for.

#define CLASS_COUNT 56

// All the pages that an address of 32 bits can name.
#define PAGE_COUNT 65536

typedef struct Block {
  uint32_t class;
  uint32_t padding;
  struct Block *next;
  uint32_t more;
} Block;

extern byte __heap_base;
static uintptr_t heap_end;
static uintptr_t memory_end;
static Block *free_blocks[CLASS_COUNT];

static size_t size_of_class(uint32_t class) {
  size_t power = (size_t)16 << (class / 2);
  return class % 2 ? power + power / 2 : power;
}

static uint32_t class_of_size(size_t size) {
  if (size <= 16) return 0;
  // One and a half of 16 would put the next block off a multiple of 16.
  if (size <= 32) return 2;
  // The power before the one that holds it, or one and a half of that.
  uint32_t class = 2 * (27 - (uint32_t)__builtin_clz((uint32_t)size - 1));
  return class + (size_of_class(class + 1) < size ? 2 : 1);
}

static Block *grow(size_t size) {
  if (heap_end == 0) {
    heap_end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    memory_end = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  }
  if (size > memory_end - heap_end) {
    size_t missing = size - (memory_end - heap_end);
    size_t pages = (missing >> 16) + 1;
    // A sixteenth more at once, so that growing stays rare.
    size_t wanted = pages + (memory_end >> 20);
    // The last page is left: an end at 2^32 would be 0 in a number, which stands before all blocks.
    size_t left = PAGE_COUNT - 1 - (memory_end >> 16);
    if (wanted > left) wanted = left;
    if (pages > left) __builtin_trap();
    if (__builtin_wasm_memory_grow(0, wanted) == (size_t)-1) {
      if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) __builtin_trap();
      wanted = pages;
    }
    memory_end += wanted << 16;
  }
  Block *block = (Block *)heap_end;
  heap_end += size;
  return block;
}

void *malloc(size_t size) {
  if (size > (size_t)1 << 30) __builtin_trap();
  uint32_t class = class_of_size(size);
  Block *block = free_blocks[class];
  if (block) {
    free_blocks[class] = block->next;
  } else {
    block = grow(size_of_class(class) + sizeof(Block));
    block->class = class;
  }
  return block + 1;
}

void free(void *pointer) {
  if (!pointer) return;
  Block *block = (Block *)pointer - 1;
  block->next = free_blocks[block->class];
  free_blocks[block->class] = block;
}

// Every block stands on a multiple of 16, and nothing in Swift asks for more.
int posix_memalign(void **pointer, size_t alignment, size_t size) {
  if (alignment > 16) return 22;
  *pointer = malloc(size);
  return 0;
}

size_t malloc_usable_size(void *pointer) {
  return pointer ? size_of_class(((Block *)pointer - 1)->class) : 0;
}

void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) __builtin_trap();
  byte *pointer = malloc(total);
  __builtin_memset(pointer, 0, total);
  return pointer;
}

// The instructions of the machine do these.
void *memcpy(void *to, const void *from, size_t count) {
  return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
  return __builtin_memmove(to, from, count);
}

void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const byte *a = left, *b = right;
  for (size_t i = 0; i < count; i++) {
    if (a[i] != b[i]) return a[i] - b[i];
  }
  return 0;
}

// MARK: Numbers

typedef struct {
  uint64_t low, high;
} Wide;

void __multi3(Wide *result, uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high) {
  uint64_t a0 = (uint32_t)a_low, a1 = a_low >> 32, b0 = (uint32_t)b_low, b1 = b_low >> 32;
  uint64_t low = a0 * b0;
  uint64_t middle = a1 * b0 + (low >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  result->low = other << 32 | (uint32_t)low;
  result->high = a1 * b1 + (middle >> 32) + (other >> 32) + a_low * b_high + a_high * b_low;
}

// MARK: What else is asked for

// Tables are seeded with it; what they hold never depends on their order.
void arc4random_buf(void *buffer, size_t count) { __builtin_memset(buffer, 0x5e, count); }

int putchar(int character) { return character; }

uintptr_t __stack_chk_guard = 0x0a0dff00;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }
