# bash completion for attcert: commands, options and the values of choices, as --help tells them.
_attcert() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command help
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    help=$("$program" --help 2>/dev/null | sed -n '/^  attcert /d; s/^  \([a-z][a-z]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$help --help --version" -- "$current")
    return
  fi
  command=${COMP_WORDS[1]}
  help=$("$program" "$command" --help 2>/dev/null)
  case $current in
  -*)
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$help")" -- "$current")
    return
    ;;
  esac
  # "  --engine auto|mpfr|dense  ..." takes one of these; anything else may be a file's name.
  mapfile -t COMPREPLY < <(compgen -W "$(sed -n "s/^  $previous \([^ ]*|[^ ]*\).*/\1/p" <<<"$help" | tr '|' ' ')" \
    -- "$current")
}
complete -o bashdefault -o default -F _attcert attcert
