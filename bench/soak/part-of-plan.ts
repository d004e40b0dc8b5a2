import type { Plan } from './plan.ts'

/**
 * The part of a plan that lives in one of several cells: every so many-th workspace with its keywords, numbered anew.
 * The posts are the same in all parts. The workspaces of the plan are a multiple of `parts`.
 */
export function partOf(plan: Plan, part: number, parts: number): Plan {
  const { workspaces, keywords } = plan.options
  if (workspaces % parts !== 0 || keywords % workspaces !== 0)
    throw new Error(`${keywords} keywords of ${workspaces} workspaces cannot be spread over ${parts} cells`)
  const options = { ...plan.options, workspaces: workspaces / parts, keywords: keywords / parts }
  const wholeOf = (keyword: number) => keyword * parts + part
  const own = (numbers: readonly number[]) =>
    numbers.filter((keyword) => keyword % parts === part).map((keyword) => (keyword - part) / parts)
  return {
    options,
    workspaceOf: (keyword) => keyword % options.workspaces,
    keyword: (number) => plan.keyword(wholeOf(number)),
    post: (number) => plan.post(number),
    expected: (number) => own(plan.expected(number)),
    related: (number) => own(plan.related(number)),
    movingTermIn: (number) => plan.movingTermIn(number),
    holds: (number) => plan.holds(number),
  }
}
