/** What is wrong with a file that holds an entry a line, in columns apart by tabs. */
export function problemsInLines(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const problems = lines.flatMap((line, at) => {
    if (line === '') return [`line ${at + 1} is empty`]
    if (!line.split('\t').every((column) => /^\S+(?: \S+)*$/.test(column)))
      return [`line ${at + 1} has odd white space`]
    return lines.indexOf(line) < at ? [`line ${at + 1} repeats an entry`] : []
  })
  return text.endsWith('\n') ? problems : [...problems, 'ends without a line break']
}
