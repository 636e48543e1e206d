# fish completion for attcert: commands, options and the values of choices, as --help tells them.
function __attcert_words
    set -l words (commandline -opc)
    if test (count $words) -eq 1
        $words[1] --help 2>/dev/null | string match -rv '^  attcert ' | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
        return
    end
    set -l help ($words[1] $words[2] --help 2>/dev/null)
    switch (commandline -ct)
        case '-*'
            string replace -rf '^  (--[a-z-]+)( [^ ]+)? +([^ ].*)$' '$1\t$3' -- $help
            string replace -rf '^  (--[a-z-]+) [^ ]+$' '$1' -- $help
        case '*'
            # "  --engine auto|mpfr|dense  ..." takes one of these; anything else may be a file's name.
            string replace -rf -- "^  $words[-1] ([^ ]*\|[^ ]*).*" '$1' $help | string split '|'
    end
end
function __attcert_takes_file
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test -z (__attcert_words | string collect)
end
complete -c attcert -f -a '(__attcert_words)'
complete -c attcert -n __attcert_takes_file -F
