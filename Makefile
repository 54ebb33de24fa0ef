# The commands to learn. Each calls one script or one tool; arguments go in ARGS, e.g. make run ARGS="--only bff,fleet".
.DEFAULT_GOAL := help
.PHONY: help run test bench gen lint advisories fmt clean

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: ## install what is missing, build and start everything on this machine
	@scripts/run $(ARGS)

test: ## every check: format, lints, generated files, console, Rust on both databases, browser journeys
	@scripts/test

bench: ## measure ingest end to end, one fix a message (ARGS=single), gateways that come back at once (ARGS=gateways), the live sockets (ARGS=live), the console (ARGS=console), much history (ARGS=history), reading a month of it (ARGS="history --shape read"), a tenant with 100,000 devices (ARGS=fleet), tenants beside those that take in files (ARGS=neighbours), nonsense from gateways (ARGS=fuzz), or signing in while others guess (ARGS=signin)
	@scripts/bench $(ARGS)

gen: ## write anew what is made: the OpenAPI document and the console's client of the .proto files, files of the deployment of what services declare
	@scripts/gen

lint: ## every check that runs nothing: format, clippy, dependencies, deployment files, the console's format, types, lint and unused code
	scripts/install-tools lints
	scripts/check-deploy
	scripts/check-features
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	scripts/build-console packages
	npm --prefix web-console run format:check
	npm --prefix web-console run typecheck
	npm --prefix web-console run lint
	npm --prefix web-console run unused

advisories: ## known weaknesses of dependencies, of Rust and of the console, as in `make lint`; fails where the network does not tell
	scripts/install-tools gates
	scripts/check-advisories --must-answer

fmt: ## format the Rust code and the console's
	cargo fmt --all
	scripts/build-console packages
	npm --prefix web-console run format

clean: ## remove everything that was built or downloaded; ./data stays
	cargo clean
	rm -rf web-console/dist web-console/node_modules .tools
