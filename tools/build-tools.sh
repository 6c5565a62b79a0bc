# Shared by the scripts that install programs for tests. Source it with `here` set to this folder.
cache=${LECTERN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lectern}
bin=$cache/bin

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# Builds a tool of a module in this folder as NAME-VERSION, once: build FOLDER NAME MODULE PACKAGE [LINKER FLAGS]. Prefix it with cgo=1 to
# use the C compiler as well.
build() {
	local from=$1 name=$2 module=$3 package=$4 flags=${5:-} version target
	version=$(awk -v module="$module" '{ sub(/^require /, "") } $1 == module { print $2; exit }' "$here/$from/go.mod")
	if [ -z "$version" ]; then
		say "tools/$from/go.mod does not require $module"
		return 1
	fi
	target=$bin/$name-$version
	[ -x "$target" ] && return
	mkdir -p "$bin"
	(
		# Of two concurrent calls only the first builds; the second waits and finds the program.
		if command -v flock >/dev/null; then
			flock 9
		fi
		[ -x "$target" ] && exit
		say "building $name $version (a few minutes, once)"
		trap 'rm -f "$target.$BASHPID"' EXIT
		CGO_ENABLED=${cgo:-0} go build -C "$here/$from" -trimpath -ldflags="-s -w $flags" -o "$target.$BASHPID" "$package"
		mv "$target.$BASHPID" "$target"
	) 9>"$bin/.lock"
}
