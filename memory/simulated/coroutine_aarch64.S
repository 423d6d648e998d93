/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uint64_t coroutine_switch(char **from, char *to, uint64_t value): the AAPCS64
 * requires a call to preserve x19-x29, the link register and the low halves of
 * v8-v15.  The function saves these registers on the stack.
 */
	.text
	.globl	coroutine_switch
	.hidden	coroutine_switch
	.type	coroutine_switch, %function
coroutine_switch:
	sub	sp, sp, #160
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	mov	x9, sp
	str	x9, [x0]
	mov	sp, x1
	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #80]
	ldp	d8, d9, [sp, #96]
	ldp	d10, d11, [sp, #112]
	ldp	d12, d13, [sp, #128]
	ldp	d14, d15, [sp, #144]
	add	sp, sp, #160
	mov	x0, x2
	ret
	.size	coroutine_switch, .-coroutine_switch

/*
 * char *coroutine_prepare(char *top, void (*entry)(void)): the saved registers
 * are zero, and the switch returns to entry.
 */
	.globl	coroutine_prepare
	.hidden	coroutine_prepare
	.type	coroutine_prepare, %function
coroutine_prepare:
	and	x0, x0, #-16
	sub	x0, x0, #160
	mov	x9, x0
	add	x10, x0, #160
1:	stp	xzr, xzr, [x9], #16
	cmp	x9, x10
	b.lo	1b
	str	x1, [x0, #88]
	ret
	.size	coroutine_prepare, .-coroutine_prepare
	.section .note.GNU-stack, "", %progbits
