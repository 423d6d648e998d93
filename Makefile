# SPDX-License-Identifier: BSD-2-Clause
# Thin on purpose: Meson and Ninja build; this names what one can do.
.PHONY: all try tour test check-deep bench report lint install clean help

all:
	@tools/setup build
	@tools/build build

try:
	@tools/setup build
	@tools/build build >build.log 2>&1 || { cat build.log; exit 1; }
	@rm -f build.log
	@tools/try build

tour:
	@tools/setup build
	@tools/build build >/dev/null
	@tools/tour build

test:
	@tools/setup build test
	@tools/run-tests

check-deep:
	@tools/setup build test deep
	@tools/run-tests --deep

bench:
	@tools/setup build bench
	@tools/build build >/dev/null
	@bench/run build

report:
	@tools/setup build report
	@tools/build build >/dev/null
	@report/run build

lint:
	@tools/lint-layers

# Under PREFIX, which the libraries do not know: they may be moved to DESTDIR.
# Without DESTDIR root also makes now what tmpfiles.d makes at every boot.
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

clean:
	rm -rf build build-*

help:
	@echo 'make             build/atmost and the libraries'
	@echo 'make try         eight commands, two at once, and one is killed: 10 seconds'
	@echo 'make tour        the laboratory, in a quarter of a minute'
	@echo 'make test        all tests, a quarter of an hour'
	@echo 'make check-deep  larger instances and longer soaks, hours'
	@echo 'make bench       measurements, written to build/bench/'
	@echo 'make report      tables and pictures, build/report/index.html, 20 minutes'
	@echo 'make lint        the layers alone'
	@echo 'make install     to PREFIX=/usr/local, below DESTDIR if that is given'
