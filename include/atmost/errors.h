/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The errors of the library: X(name, code, message).
 *
 * Functions return zero or more on success and one of these codes on failure.
 * The codes are part of the binary interface and never change.
 */
#ifndef ATMOST_ERRORS_H
#define ATMOST_ERRORS_H

#define ATMOST_ERRORS(X)                                                      \
	X(ATMOST_EBUSY, -1, "the call would have to wait")                    \
	X(ATMOST_ETIMEDOUT, -2, "the deadline passed first")                  \
	X(ATMOST_EINSIDE, -3, "the member is inside already")                 \
	X(ATMOST_EOUTSIDE, -4, "the member is not inside")                    \
	X(ATMOST_EFULL, -5, "the pool has no room for more members")          \
	X(ATMOST_ENOTABORTABLE, -6,                                           \
	  "with this algorithm a waiter cannot give up")                      \
	X(ATMOST_ENOTRESIZABLE, -7, "the algorithm cannot change its k")      \
	X(ATMOST_ESHAPE, -8,                                                  \
	  "the shape is not possible, or the pool has another shape")         \
	X(ATMOST_EALGORITHM, -9, "no such algorithm for this kind of pool")   \
	X(ATMOST_ESESSION, -10, "no such session")                            \
	X(ATMOST_ENAME, -11, "the name is not valid")                         \
	X(ATMOST_EFORMAT, -12,                                                \
	  "another version of the library, or another C library, "            \
	  "made the pool")                                                    \
	X(ATMOST_ECORRUPT, -13, "the shared memory is damaged")               \
	X(ATMOST_EPERMISSION, -14, "no permission")                           \
	X(ATMOST_EFORKED, -15,                                                \
	  "the member or pool belongs to the parent of this process")         \
	X(ATMOST_ETHREAD, -16, "the member belongs to another thread")        \
	X(ATMOST_EEVICTED, -17, "this member was declared dead")              \
	X(ATMOST_ENOTFOUND, -18, "there is no such pool, process or outcome") \
	X(ATMOST_ENOMEM, -19, "out of memory")                                \
	X(ATMOST_ESYSTEM, -20, "a system call failed")                        \
	X(ATMOST_EOPERATION, -21, "the shared object has no such operation")  \
	X(ATMOST_EOVERRUN, -22, "the function writes outside its state")      \
	X(ATMOST_EASKED, -23, "a process has already asked for this outcome") \
	X(ATMOST_EUNREACHED, -24, "the pool's store was not reached")         \
	X(ATMOST_EREFUSED, -25, "the pool's store refused the request")       \
	X(ATMOST_EUNSUPPORTED, -26, "this pool does not support the call")    \
	X(ATMOST_EWANT, -27,                                                  \
	  "the want has unknown flags, an invalid "                           \
	  "deadline or an invalid tag")                                       \
	X(ATMOST_EINTERRUPTED, -28, "the wait was interrupted")

#define ATMOST_ERROR_CODE(name, code, message) name = code,
enum atmost_error { ATMOST_ERRORS(ATMOST_ERROR_CODE) ATMOST_OK = 0 };
#undef ATMOST_ERROR_CODE

#endif
