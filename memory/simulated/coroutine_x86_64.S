/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uint64_t coroutine_switch(char **from, char *to, uint64_t value): the System
 * V ABI requires a call to preserve six registers.  The function saves these
 * registers on the stack, below the return address.
 */
	.text
	.globl	coroutine_switch
	.hidden	coroutine_switch
	.type	coroutine_switch, @function
coroutine_switch:
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	movq	%rdx, %rax
	ret
	.size	coroutine_switch, .-coroutine_switch

/*
 * char *coroutine_prepare(char *top, void (*entry)(void)): the six saved
 * registers are zero, and the return address is entry.  The stack is aligned as
 * after a call.
 */
	.globl	coroutine_prepare
	.hidden	coroutine_prepare
	.type	coroutine_prepare, @function
coroutine_prepare:
	andq	$-16, %rdi
	leaq	-64(%rdi), %rax
	movq	$0, 0(%rax)
	movq	$0, 8(%rax)
	movq	$0, 16(%rax)
	movq	$0, 24(%rax)
	movq	$0, 32(%rax)
	movq	$0, 40(%rax)
	movq	%rsi, 48(%rax)
	movq	$0, 56(%rax)
	ret
	.size	coroutine_prepare, .-coroutine_prepare
	.section .note.GNU-stack, "", @progbits
