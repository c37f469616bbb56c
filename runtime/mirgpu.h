/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The launch runtime's C ABI: devices, streams, buffers, modules, kernels, launches.
 * Handles are opaque and counted: a function that gives one out gives a reference that the caller
 * releases; an object stays alive as long as work in flight needs it. Every call that can fail
 * returns NULL or an error that the caller frees. Structs begin with their size as the caller knows
 * it, so that fields can be added at the end. No call throws; all calls may be made from any
 * thread.
 */
#ifndef MIRGPU_H
#define MIRGPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MIRGPU_API __attribute__((visibility("default")))
#else
#define MIRGPU_API
#endif

/** Version of this ABI; raised when a function or a field changes its meaning. */
#define MIRGPU_API_VERSION 1u

/** MIRGPU_API_VERSION of the loaded library. */
MIRGPU_API uint32_t mirgpu_api_version(void);

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum mirgpu_error_code {
  MIRGPU_OK = 0,
  MIRGPU_ERROR_INVALID_ARGUMENT = 1,   /**< a call of this API that can never be right */
  MIRGPU_ERROR_IO = 2,                 /**< a file could not be read; backend_code is errno */
  MIRGPU_ERROR_INVALID_MODULE = 3,     /**< not a `.mgpu`, or damaged, or of another version */
  MIRGPU_ERROR_NO_SUCH_KERNEL = 4,     /**< the module has no kernel of that name or key */
  MIRGPU_ERROR_NO_CODE = 5,            /**< the module has no code that the device can run */
  MIRGPU_ERROR_NO_DRIVER = 6,          /**< the vendor's driver library was not found */
  MIRGPU_ERROR_NOT_BUILT = 7,          /**< this build of the library lacks the back end */
  MIRGPU_ERROR_NO_DEVICE = 8,          /**< the driver has no device of that number */
  MIRGPU_ERROR_OUT_OF_MEMORY = 9,      /**< of the device, or of the host for the device */
  MIRGPU_ERROR_ARGUMENT_MISMATCH = 10, /**< an argument does not fit the parameter table */
  MIRGPU_ERROR_OVERLAP = 11,           /**< two buffers overlap and one of them is written */
  MIRGPU_ERROR_GEOMETRY = 12,          /**< grid, block or shared memory outside the limits */
  MIRGPU_ERROR_PANIC = 13,             /**< a thread of the kernel panicked */
  MIRGPU_ERROR_DEADLOCK = 14,          /**< no thread of a block can go on */
  MIRGPU_ERROR_SYNC = 15,              /**< a warp operation or barrier was used wrongly */
  MIRGPU_ERROR_STACK_OVERFLOW = 16,    /**< a thread of the kernel ran out of stack */
  MIRGPU_ERROR_BACKEND = 17,           /**< the driver reported backend_code */
  MIRGPU_ERROR_DEVICE_LOST = 18,       /**< the device cannot be used any more */
  MIRGPU_ERROR_NO_SUCH_GLOBAL = 19     /**< the module has no static of that name, or several */
} mirgpu_error_code;

typedef struct mirgpu_error mirgpu_error;

/** What an error says. The strings live as long as the error. */
typedef struct mirgpu_error_info {
  size_t struct_size;
  mirgpu_error_code code;
  int64_t backend_code; /**< the driver's or the system's own code, else 0 */
  const char *kernel;   /**< the kernel that the error is about, or "" */
  int32_t argument;     /**< index of the argument that the error is about, or -1 */
  const char *message;  /**< one or more lines, without a final newline */
} mirgpu_error_info;

/** Fills `info` from `error`. */
MIRGPU_API void mirgpu_error_get(const mirgpu_error *error, mirgpu_error_info *info);
/** Ends `error`; NULL is allowed. */
MIRGPU_API void mirgpu_error_free(mirgpu_error *error);

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct mirgpu_device mirgpu_device;
typedef struct mirgpu_stream mirgpu_stream;
typedef struct mirgpu_buffer mirgpu_buffer;
typedef struct mirgpu_module mirgpu_module;
typedef struct mirgpu_kernel mirgpu_kernel;

/**
 * Opens a device: "cpu", "cuda:N", "hip:N", or "auto": the first CUDA device, else the first HIP
 * device, else the CPU.
 */
MIRGPU_API mirgpu_error *mirgpu_device_open(const char *name, mirgpu_device **out);
MIRGPU_API void mirgpu_device_retain(mirgpu_device *device);
MIRGPU_API void mirgpu_device_release(mirgpu_device *device);

typedef struct mirgpu_device_info {
  size_t struct_size;
  const char *name;        /**< as `mirgpu_device_open` takes it: "cpu", "cuda:0" */
  const char *description; /**< for people: the processor's name */
  uint32_t warp_size;
  uint32_t max_block_threads;
  uint64_t max_shared_bytes; /**< static and dynamic shared memory of one block */
  uint32_t max_grid[3];
  uint32_t max_block[3];
} mirgpu_device_info;

/** Fills `info`; its strings live as long as the device. */
MIRGPU_API void mirgpu_device_get_info(const mirgpu_device *device, mirgpu_device_info *info);

/* ---- streams --------------------------------------------------------------------------------- */

/** A queue whose work runs in the order in which it was given. */
MIRGPU_API mirgpu_error *mirgpu_stream_create(mirgpu_device *device, mirgpu_stream **out);
/** The device's own stream, made on first use. Gives a reference, as `mirgpu_stream_create`. */
MIRGPU_API mirgpu_error *mirgpu_stream_default(mirgpu_device *device, mirgpu_stream **out);
MIRGPU_API void mirgpu_stream_retain(mirgpu_stream *stream);
/** Work already given still runs; its errors are then reported to nobody. */
MIRGPU_API void mirgpu_stream_release(mirgpu_stream *stream);
/**
 * Waits until all work given so far has ended. Returns the first error of that work, which names
 * its launch, and forgets it: the stream and the device stay usable.
 */
MIRGPU_API mirgpu_error *mirgpu_stream_synchronize(mirgpu_stream *stream);
/**
 * Hands every warning of launches that have ended (threads met at one warp operation from different
 * places of the source) to `take`, then forgets them. Returns their number.
 */
MIRGPU_API size_t mirgpu_stream_take_warnings(mirgpu_stream *stream,
                                              void (*take)(void *user, const char *text),
                                              void *user);

/* ---- buffers --------------------------------------------------------------------------------- */

/** Allocates `bytes` bytes, aligned to 256. Their contents are unspecified. 0 bytes are allowed. */
MIRGPU_API mirgpu_error *mirgpu_buffer_create(mirgpu_device *device, uint64_t bytes,
                                              mirgpu_buffer **out);
MIRGPU_API void mirgpu_buffer_retain(mirgpu_buffer *buffer);
/** The memory goes back once work that was given with this buffer has ended. */
MIRGPU_API void mirgpu_buffer_release(mirgpu_buffer *buffer);
MIRGPU_API uint64_t mirgpu_buffer_size(const mirgpu_buffer *buffer);
/** The address that kernels see. */
MIRGPU_API uint64_t mirgpu_buffer_address(const mirgpu_buffer *buffer);
/** Host to device, after the work given so far; a synchronising call. */
MIRGPU_API mirgpu_error *mirgpu_buffer_write(mirgpu_stream *stream, mirgpu_buffer *to,
                                             uint64_t offset, const void *from, uint64_t bytes);
/** Device to host, after the work given so far; a synchronising call. */
MIRGPU_API mirgpu_error *mirgpu_buffer_read(mirgpu_stream *stream, mirgpu_buffer *from,
                                            uint64_t offset, void *to, uint64_t bytes);
/** Device to device, in stream order. The ranges may not overlap. */
MIRGPU_API mirgpu_error *mirgpu_buffer_copy(mirgpu_stream *stream, mirgpu_buffer *to,
                                            uint64_t to_offset, mirgpu_buffer *from,
                                            uint64_t from_offset, uint64_t bytes);
/** Sets every byte of a range to `byte`, in stream order. */
MIRGPU_API mirgpu_error *mirgpu_buffer_fill(mirgpu_stream *stream, mirgpu_buffer *buffer,
                                            uint64_t offset, uint64_t bytes, uint8_t byte);

/* ---- modules and kernels --------------------------------------------------------------------- */

/** Loads the `.mgpu` at `path` and the code in it that suits the device. */
MIRGPU_API mirgpu_error *mirgpu_module_load_file(mirgpu_device *device, const char *path,
                                                 mirgpu_module **out);
/** As above from memory, which may be given up after the call. */
MIRGPU_API mirgpu_error *mirgpu_module_load(mirgpu_device *device, const void *bytes, size_t size,
                                            mirgpu_module **out);
MIRGPU_API void mirgpu_module_retain(mirgpu_module *module);
MIRGPU_API void mirgpu_module_release(mirgpu_module *module);
MIRGPU_API size_t mirgpu_module_kernel_count(const mirgpu_module *module);

/** The kernel whose entry name or key is `name`. */
MIRGPU_API mirgpu_error *mirgpu_module_kernel(mirgpu_module *module, const char *name,
                                              mirgpu_kernel **out);
/** The kernel at `index` below `mirgpu_module_kernel_count`, in the file's order. */
MIRGPU_API mirgpu_error *mirgpu_module_kernel_at(mirgpu_module *module, size_t index,
                                                 mirgpu_kernel **out);
MIRGPU_API void mirgpu_kernel_retain(mirgpu_kernel *kernel);
MIRGPU_API void mirgpu_kernel_release(mirgpu_kernel *kernel);

typedef struct mirgpu_kernel_info {
  size_t struct_size;
  const char *name; /**< the entry name */
  const char *key;  /**< Rust's type name of the function */
  const char *file; /**< of the definition, or "" */
  uint32_t line;
  uint32_t param_count; /**< without the hidden launch context */
  uint32_t max_threads; /**< of one block, from launch bounds; 0: the device's limit */
  uint32_t static_shared_bytes;
  uint32_t has_collective;      /**< 1 if it reaches a barrier or a warp operation */
  uint32_t can_panic;           /**< 1 if it can */
  uint32_t uses_dynamic_shared; /**< 1 if it reads shared memory whose size the launch gives */
  uint32_t uses_heap;           /**< 1 if it allocates, from a heap whose size the launch gives */
} mirgpu_kernel_info;

/** Fills `info`; its strings live as long as the kernel. */
MIRGPU_API void mirgpu_kernel_get_info(const mirgpu_kernel *kernel, mirgpu_kernel_info *info);

typedef enum mirgpu_param_kind {
  MIRGPU_PARAM_SCALAR = 1,         /**< bool, char, an integer, a float */
  MIRGPU_PARAM_POINTER = 2,        /**< a thin pointer or reference */
  MIRGPU_PARAM_SLICE = 3,          /**< `&[T]`, `&str` */
  MIRGPU_PARAM_SLICE_MUT = 4,      /**< `&mut [T]` */
  MIRGPU_PARAM_DISJOINT_SLICE = 5, /**< `DisjointSlice<T>` */
  MIRGPU_PARAM_AGGREGATE = 6       /**< a struct, tuple or closure by value */
} mirgpu_param_kind;

typedef struct mirgpu_param_info {
  size_t struct_size;
  const char *name;
  const char *type_name; /**< as Rust writes it */
  mirgpu_param_kind kind;
  uint32_t align;         /**< of the value */
  uint64_t size;          /**< of the value; 16 for slices */
  uint64_t element_size;  /**< of T for slices, else 0 */
  uint32_t element_align; /**< of T for slices, else 0 */
  uint32_t read_only;     /**< 1 if the kernel may not write through it */
  uint64_t layout_hash;   /**< of the value, of T for slices */
} mirgpu_param_info;

/** Fills `info` for parameter `index` below `param_count`; its strings live as long as the kernel.
 */
MIRGPU_API mirgpu_error *mirgpu_kernel_get_param(const mirgpu_kernel *kernel, uint32_t index,
                                                 mirgpu_param_info *info);

/* ---- statics --------------------------------------------------------------------------------- */

/**
 * A `static` of the module that the host may read and write between launches, as
 * `cudaMemcpyToSymbol` does: `static mut`, with interior mutability, or in constant memory
 * (`ConstantMemory<T>`); not one that holds an address when it starts. Its value stays from launch
 * to launch. Each load of a module has statics of its own, with the values that Rust gives them.
 */
typedef struct mirgpu_global_info {
  size_t struct_size;
  const char *key;          /**< the Rust path, `kernels::COEFFS` below the crate's name */
  const char *type_name;    /**< as Rust writes it */
  const char *element_name; /**< the number, bool or char that it is made of, or "" */
  uint64_t size;            /**< bytes */
  uint32_t align;
  uint32_t element_size; /**< bytes; 0 if it is made of something else */
  uint32_t constant;     /**< 1 if no thread writes it */
} mirgpu_global_info;

MIRGPU_API size_t mirgpu_module_global_count(const mirgpu_module *module);
/**
 * The index of the static whose key is `name`, or ends in `::name` if that is true of one alone.
 */
MIRGPU_API mirgpu_error *mirgpu_module_find_global(const mirgpu_module *module, const char *name,
                                                   size_t *index);
/** Fills `info` for the static at `index`; its strings live as long as the module. */
MIRGPU_API mirgpu_error *mirgpu_module_get_global(const mirgpu_module *module, size_t index,
                                                  mirgpu_global_info *info);
/**
 * Host to static, after the work given to `stream` so far; a synchronising call. No launch of the
 * module may run on another stream. Bytes of a bool or char are checked; those of other types must
 * be a value of the type.
 */
MIRGPU_API mirgpu_error *mirgpu_global_write(mirgpu_stream *stream, mirgpu_module *module,
                                             size_t index, uint64_t offset, const void *from,
                                             uint64_t bytes);
/** Static to host, after the work given to `stream` so far; a synchronising call. */
MIRGPU_API mirgpu_error *mirgpu_global_read(mirgpu_stream *stream, mirgpu_module *module,
                                            size_t index, uint64_t offset, void *to,
                                            uint64_t bytes);

/* ---- launches -------------------------------------------------------------------------------- */

/** What the caller knows of a value's type. Integers of one size fit each other. */
typedef enum mirgpu_type {
  MIRGPU_TYPE_ANY = 0, /**< bytes: size alone is compared */
  MIRGPU_TYPE_BOOL = 1,
  MIRGPU_TYPE_CHAR = 2, /**< a Unicode scalar value */
  MIRGPU_TYPE_INTEGER = 3,
  MIRGPU_TYPE_FLOAT = 4
} mirgpu_type;

typedef enum mirgpu_arg_kind {
  MIRGPU_ARG_VALUE =
      1, /**< `size` bytes at `value`: scalars and aggregates, raw device addresses */
  MIRGPU_ARG_BUFFER = 2 /**< `count` elements of `buffer` from byte `offset` on: slices, pointers */
} mirgpu_arg_kind;

typedef enum mirgpu_access {
  MIRGPU_ACCESS_ANY = 0,  /**< whatever the parameter needs */
  MIRGPU_ACCESS_READ = 1, /**< the caller expects a parameter that is read only */
  MIRGPU_ACCESS_WRITE = 2 /**< the caller expects a parameter that may be written */
} mirgpu_access;

/** One argument. Fields of the other kind are 0. */
typedef struct mirgpu_arg {
  mirgpu_arg_kind kind;
  mirgpu_type type;     /**< of the value, or of the elements */
  uint64_t size;        /**< of the value, or of one element */
  uint32_t align;       /**< of the value, or of one element */
  mirgpu_access access; /**< buffers */
  const void *value;
  mirgpu_buffer *buffer;
  uint64_t offset;      /**< bytes */
  uint64_t count;       /**< elements */
  uint64_t layout_hash; /**< compared with the parameter's unless 0 */
} mirgpu_arg;

typedef struct mirgpu_launch_info {
  size_t struct_size;
  size_t arg_struct_size; /**< sizeof(mirgpu_arg) */
  uint32_t grid[3];       /**< blocks */
  uint32_t block[3];      /**< threads of a block */
  uint64_t shared_bytes;  /**< dynamic shared memory */
  /** The CPU device's order of the threads of a block: NULL, "forward", "reverse" or "seed:N". */
  const char *schedule;
  uint64_t stack_bytes; /**< the CPU device's stack for one thread; 0: 256 KiB */
  /** The CPU device's code generator: NULL or "auto", "T0" (threads in a loop), "T3" (fibers). */
  const char *tier;
  /** The heap of a kernel that allocates, in bytes; 0: 8 MiB. It is empty when the launch begins.
   */
  uint64_t heap_bytes;
} mirgpu_launch_info;

/**
 * Compares the types of `args` with the parameter table: number, kind, type, size, alignment,
 * access. Values and buffers are not looked at and may be NULL.
 */
MIRGPU_API mirgpu_error *mirgpu_kernel_check(mirgpu_kernel *kernel, size_t arg_struct_size,
                                             const mirgpu_arg *args, size_t arg_count);

/**
 * Checks geometry and arguments, copies the values, and gives the launch to the stream. What goes
 * wrong while it runs is returned by the next synchronising call.
 */
MIRGPU_API mirgpu_error *mirgpu_launch(mirgpu_stream *stream, mirgpu_kernel *kernel,
                                       const mirgpu_launch_info *info, const mirgpu_arg *args,
                                       size_t arg_count);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* MIRGPU_H */
