/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pages.h"

/* clang-format off */
const char page_run[] =
"usage: atmost run [OPTION]... POOL -- COMMAND [ARGUMENT]...\n"
"\n"
"Run a command as soon as fewer than k others of the pool run, in order of\n"
"arrival.  The slot is the command's until it ends, however it ends.\n"
"\n"
"  -k K              at most K at once; a pool's first user says so (default\n"
"                    1, with --slots or --names as many as there are)\n"
"  -n                do not wait: now or not at all\n"
"  -t SECONDS        wait no longer than that; may have a fraction\n"
"  -E CODE           exit with CODE if it did not get in (default 75)\n"
"  -g SESSION        a pool of groups: those of one session, any word, run\n"
"                    together; those of different ones never (-k: at most K\n"
"                    of a session at once; default: no limit)\n"
"  -v                show the position in the queue, and who is inside\n"
"  --exec            become the command instead of waiting for its end\n"
"  --set VAR=TEXT    for the command's environment; in TEXT, {slot} is its\n"
"                    slot, 0 to K-1, {pool} the pool, {name} the slot's name\n"
"  --slots 2,3,5     names of the slots, numbers\n"
"  --names A,B,C     names of the slots\n"
"  --wait-children   hold the slot until all that it started has ended\n"
"  --nested          even if an ancestor of this process holds the pool\n"
"  --algorithm A     of a new pool; see 'atmost algorithms'\n"
"\n"
"The command has our stdin, stdout and stderr, ATMOST_SLOT and ATMOST_POOL in\n"
"its environment, and gets TERM, INT, HUP, QUIT, TSTP and CONT that reach us.\n"
"Pools are in $ATMOST_DIR, else in /run/atmost/UID where the machine has the\n"
"directory /run/atmost, else in /dev/shm/atmost-UID.\n"
"\n"
"exit: the command's, 128+n if signal n ended it; CODE if it did not get in;\n"
"  64 usage   65 the pool is damaged   69 the pool is full   71 system error\n"
"  73 cannot make the pool   77 no permission\n"
"  126 the command cannot be run   127 there is no such command\n"
"\n"
"examples:\n"
"  atmost run -k 2 backup -- rsync -a /home /mnt/backup\n"
"  atmost run --slots 2,3 --set CUDA_VISIBLE_DEVICES={name} gpu -- ./train\n"
"  atmost run -n nightly -- ./report       # never two at once\n";

const char page_status[] =
"usage: atmost status [POOL] [--json | --watch]\n"
"\n"
"Show who is inside a pool, slot by slot, and who waits, in order; without\n"
"POOL, of all pools.  Recovers the dead first.\n"
"\n"
"  --json   one object on stdout\n"
"  --watch  draw it again and again; q or Ctrl-C quits\n"
"\n"
"A line is: slot or place in the queue, pid, since when, command, and in a\n"
"pool of groups [session].  A pid of another namespace is 'unknown'.\n"
"\n"
"example:\n"
"  atmost status backup --json | jq '.pools[0].waiters | length'\n";

const char page_pools[] =
"usage: atmost pools\n"
"\n"
"List the pools, one a line.\n";

const char page_resize[] =
"usage: atmost resize POOL K\n"
"\n"
"From now on at most K.  Growing takes effect at once, shrinking as holders\n"
"leave.  A pool has room for 64, or for twice the k it was made with; one of\n"
"groups for 256, and one without a limit gets one; 0 takes it away again.\n"
"\n"
"example:\n"
"  atmost resize backup 4\n";

const char page_repair[] =
"usage: atmost repair POOL [--free SLOT]\n"
"\n"
"Recover dead members now, and say what was found.  As a rule nobody needs\n"
"this: joining, waiting, and asking for the status do it, too.\n"
"\n"
"  --free SLOT   free the slot of a command in a pid namespace that cannot be\n"
"                seen from here (status names it); make sure that the command\n"
"                has ended, otherwise it goes on beside others\n"
"\n"
"example:\n"
"  atmost repair backup\n";

const char page_remove[] =
"usage: atmost remove POOL [--force]\n"
"\n"
"Remove a pool that nobody uses.\n"
"\n"
"  --force  also one that is in use or damaged.  Those inside and waiting go\n"
"           on with the old pool; who comes later gets a new one, and does not\n"
"           wait for them: up to k of both may run at once.\n"
"\n"
"exit: 0; 64 usage; 66 there is none; 75 it is in use; 77 no permission\n"
"\n"
"example:\n"
"  atmost remove backup\n";
/* clang-format on */
