import { dirname } from 'node:path'

/**
 * The imports that tie folders below `within` into a circle, as `{ from, to }`. In every folder, what it holds (files,
 * and folders as one whole each) must stand in an order in which each imports only what comes before it. Circles of
 * files alone, and those of what stands directly in `within`, are left to other rules.
 */
export function folderCircles(imports, within) {
  const inside = imports.filter(({ from, to }) => from.startsWith(within) && to.startsWith(within))
  const folders = new Set(inside.flatMap(({ from, to }) => [...foldersAbove(from), ...foldersAbove(to)]))
  const circular = new Set()
  for (const folder of folders)
    if (`${folder}/` !== within) for (const one of circlesIn(folder, inside)) circular.add(one)
  return [...circular]
}

function foldersAbove(path) {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}

function circlesIn(folder, imports) {
  const arrows = imports.flatMap((one) => {
    const [from, to] = [childIn(folder, one.from), childIn(folder, one.to)]
    return from === null || to === null || from === to ? [] : [{ one, from, to }]
  })
  const next = new Map()
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to))
  const isTied = ({ from, to }) => {
    const between = [...next.keys()].filter((node) => reaches(next, to, node) && reaches(next, node, from))
    return between.some((node) => !node.includes('.'))
  }
  return arrows.filter(({ from, to }) => reaches(next, to, from) && isTied({ from, to })).map(({ one }) => one)
}

/** The name of the file or folder directly in `folder` that holds this file; null when it is elsewhere. */
function childIn(folder, path) {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : null
}

function reaches(next, start, goal) {
  const seen = new Set([start])
  for (const node of seen) {
    if (node === goal) return true
    for (const other of next.get(node) ?? []) seen.add(other)
  }
  return false
}
