type Value = string | readonly string[]

export interface Difference {
  label: string
  mine: Value
  theirs: Value
}

/** The fields of my change that hold something else now, in the order of their labels. */
export function differencesOf<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  { former, mine, theirs }: Record<'former' | 'mine' | 'theirs', Readonly<Record<Name, Value>>>,
): Difference[] {
  return (Object.keys(labels) as Name[])
    .filter((name) => textOf(mine[name]) !== textOf(former[name]) && textOf(mine[name]) !== textOf(theirs[name]))
    .map((name) => ({ label: labels[name], mine: mine[name], theirs: theirs[name] }))
}

export function textOf(value: Value): string {
  return typeof value === 'string' ? value : value.join(', ')
}
