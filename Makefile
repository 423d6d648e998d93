# SPDX-License-Identifier: BSD-2-Clause
# Meson and Ninja do the building; this file names the targets.
.PHONY: all try try-cluster tour test test-all check-deep bench report lint \
	check-style format install install-lib clean help

all:
	@tools/setup build
	@tools/build build

try:
	@tools/setup build
	@tools/build build -- atmost >build.log 2>&1 || { cat build.log; exit 1; }
	@rm -f build.log
	@tools/try build

try-cluster:
	@tools/setup build test
	@tools/build build -Detcd=enabled -- product >build.log 2>&1 || \
		{ cat build.log; exit 1; }
	@rm -f build.log
	@tools/try-cluster build

tour:
	@tools/setup build
	@tools/build build >/dev/null
	@tools/tour build

test:
	@tools/setup build test
	@tools/run-tests

test-all:
	@tools/setup build test test-all
	@tools/run-tests --all

check-deep:
	@tools/setup build test test-all deep
	@tools/run-tests --deep

bench:
	@tools/setup build test bench
	@tools/build build -Dtests=true -- product benches report/choi-figures >/dev/null
	@bench/run build

report:
	@tools/setup build test report
	@tools/build build -Dtests=true -- product benches report/choi-figures >/dev/null
	@report/run build

lint:
	@tools/lint-layers
	@tools/lint-orders

check-style:
	@tools/setup style
	@tools/lint-layers
	@tools/lint-orders
	@tools/check-format

format:
	@tools/setup style
	@tools/check-format --write

# Installs below PREFIX, and below DESTDIR if it is given; the installed tree can
# be moved later.  If root installs without DESTDIR, the target also creates the
# folders that tmpfiles.d creates at every boot.
PREFIX ?= /usr/local
install: all
	@grep -Fqx 'prefix=$(PREFIX)' build/meson-private/atmost.pc || \
		tools/build build -Dprefix='$(PREFIX)'
	@DESTDIR='$(DESTDIR)' meson install -C build --no-rebuild
	@[ -n '$(DESTDIR)' ] || [ "$$(id -u)" != 0 ] || \
		sed -n 's/^d //p' packaging/atmost.conf | \
		while read -r path mode owner group age; do \
			install -d -m $$mode -o $$owner -g $$group $$path; \
		done

# Installs the library, its headers and its manual pages, without the command and
# the laboratory.
install-lib:
	@tools/setup library
	@tools/build build-lib -Dcommand=false -Dprefix='$(PREFIX)'
	@DESTDIR='$(DESTDIR)' meson install -C build-lib --no-rebuild

clean:
	rm -rf build build-*

help:
	@echo 'make              build/atmost and the libraries'
	@echo 'make try          eight commands, two at a time, and one is killed: 10 seconds'
	@echo 'make try-cluster  the same through an etcd of three nodes: 20 seconds'
	@echo 'make tour         the laboratory, in a quarter of a minute'
	@echo 'make test         every kind of test on small instances: 6 minutes'
	@echo 'make test-all     all tests, with every sanitizer: half an hour'
	@echo 'make check-deep   larger instances and long stress tests: hours'
	@echo 'make bench        measurements, written to build/bench/'
	@echo 'make report       tables and plots, build/report/index.html: 20 minutes'
	@echo 'make check-style  layers, licences and the format of the code'
	@echo 'make format       formats the code'
	@echo 'make install      to PREFIX=/usr/local, below DESTDIR if that is given'
	@echo 'make install-lib  the library alone, to the same places'
