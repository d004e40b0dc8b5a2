import type { Command, Option } from 'commander'

/** What can follow one command. */
interface Level {
  /** Names from the program to the command, without that of the program. */
  path: string
  commands: { name: string; about: string }[]
  options: { name: string; about: string; takesValue: boolean; choices: readonly string[] }[]
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A script that knows every command and option, made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const levels = levelsOf(program)
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  return scripts[shell](levels)
}

function levelsOf(command: Command, path: readonly string[] = []): Level[] {
  const help = { name: '--help', about: 'show help', takesValue: false, choices: [] }
  const level = {
    path: path.join(' '),
    commands: command.commands.map((inner) => ({ name: inner.name(), about: firstSentence(inner.description()) })),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
  }
  return [level, ...command.commands.flatMap((inner) => levelsOf(inner, [...path, inner.name()]))]
}

function optionOf({ long, short, description, required, optional, argChoices }: Option): Level['options'][number] {
  return {
    name: long ?? short ?? '',
    about: firstSentence(description),
    takesValue: required || optional,
    choices: argChoices ?? [],
  }
}

function firstSentence(text: string): string {
  return text.split(/[;:.] ?/)[0]!.replace(/[^\w ,()<>/@-]/g, '')
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ name }) => name)].join(' ')
    return `    '${path}') words='${words}' ;;`
  })
  const known = levels.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const choices = choicesOf(levels).map(({ after, choices }) => `  '${after}') words='${choices.join(' ')}' ;;`)
  return `# bash completion of earshot. Load it with: source <(earshot completion bash)
_earshot() {
  local word='' path='' next='' words='' at
  local current="\${COMP_WORDS[COMP_CWORD]}"
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    next="\${path:+$path }$word"
    case "$next" in
    ${known.join(' | ')}) path="$next" ;;
    esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${choices.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$path" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _earshot earshot
`
}

/** Values after an option, by the path of its command and its name. */
function choicesOf(levels: readonly Level[]): { after: string; choices: readonly string[] }[] {
  return levels.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => ({ after: `${path} ${name}`, choices })),
  )
}

function zshScript(levels: readonly Level[]): string {
  const described = ({ name, about }: { name: string; about: string }) => `'${name.replaceAll(':', '\\:')}:${about}'`
  const cases = levels.map(({ path, commands, options }) =>
    [
      `    '${path}')`,
      `      commands=(${commands.map(described).join(' ')})`,
      `      options=(${options.map(described).join(' ')})`,
      '      ;;',
    ].join('\n'),
  )
  const known = levels.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const choices = choicesOf(levels).map(
    ({ after, choices }) => `  '${after}') compadd -- ${choices.join(' ')}; return ;;`,
  )
  return `#compdef earshot
# zsh completion of earshot. Save it as _earshot in a folder of $fpath.
_earshot() {
  local trail='' next='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${trail:+$trail }$word"
    case "$next" in
    ${known.join(' | ')}) trail="$next" ;;
    esac
  done
  case "$trail \${words[CURRENT-1]}" in
${choices.join('\n')}
  esac
  case "$trail" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe option options
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _earshot ]]; then _earshot "$@"; else compdef _earshot earshot; fi
`
}

function fishScript(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, commands, options }) => {
    const when = `-n '__earshot_at ${path === '' ? '' : JSON.stringify(path)}'`
    return [
      ...commands.map(({ name, about }) => `complete -c earshot -f ${when} -a '${name}' -d '${about}'`),
      ...options.map(({ name, about, takesValue, choices }) => {
        const value = takesValue ? ` -r${choices.length > 0 ? ` -f -a '${choices.join(' ')}'` : ''}` : ''
        const spelled = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
        return `complete -c earshot ${when} ${spelled}${value} -d '${about}'`
      }),
    ]
  })
  const known = levels.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  return `# fish completion of earshot. Save it as ~/.config/fish/completions/earshot.fish.
function __earshot_at
  set -l trail ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$trail $word")
    if contains -- "$next" ${known.join(' ')}
      set trail "$next"
    end
  end
  test "$trail" = "$argv"
end
${lines.join('\n')}
`
}
