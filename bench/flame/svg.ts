import { type Frame, merged, microsByRoom, ROOMS, type Room } from './profile.ts'

export interface Picture {
  title: string
  /** Who was measured, when, and under what load. */
  subtitle: string
}

const WIDTH = 1200
const MARGIN = 10
const ROW = 17
const LEGEND_TOP = 62
const FLAME_TOP = 92
const LETTER = 6.1
/** Frames below this share of the whole are drawn as one with their neighbours of the same room. */
const SMALLEST = 0.003

const COLOURS: Readonly<Record<Room, string>> = {
  sources: '#8fb8de',
  matching: '#f2a65a',
  pipeline: '#c9b6e4',
  'store and pg': '#7fbf9b',
  classify: '#e98a8a',
  queries: '#a7cf6f',
  channels: '#e6cf5c',
  domain: '#d7c4a8',
  'other rooms': '#c0a889',
  'garbage collection': '#b0b7bf',
  runtime: '#dfe3e8',
}

/**
 * A flame graph as one file without scripts: the stack grows downwards, the width of a frame is its share of processor
 * time.
 */
export function flameSvg(tree: Frame, picture: Picture): string {
  const whole = pruned(tree, tree.micros * SMALLEST)
  const height = FLAME_TOP + depthOf(whole) * ROW + MARGIN
  const scale = (WIDTH - 2 * MARGIN) / tree.micros
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" ` +
      `height="${height}" font-family="Verdana, sans-serif" font-size="10">`,
    `<title>${escaped(picture.title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="24" font-size="16">${escaped(picture.title)}</text>`,
    `<text x="${MARGIN}" y="44" font-size="11" fill="#555555">${escaped(picture.subtitle)}</text>`,
    ...legend(tree),
    ...rects(whole, MARGIN, FLAME_TOP, scale, tree.micros),
    '</svg>',
    '',
  ].join('\n')
}

/** Each room with its share of all time, by the room that did the work itself. */
function legend(tree: Frame): string[] {
  const totals = microsByRoom(tree)
  let x = MARGIN
  return ROOMS.filter((room) => totals.get(room)! > 0).flatMap((room) => {
    const text = `${room} ${((totals.get(room)! / tree.micros) * 100).toFixed(1)} %`
    const parts = [
      `<rect x="${x}" y="${LEGEND_TOP}" width="11" height="11" fill="${COLOURS[room]}"/>`,
      `<text x="${x + 15}" y="${LEGEND_TOP + 10}">${escaped(text)}</text>`,
    ]
    x += 15 + text.length * 5.4 + 10
    return parts
  })
}

function rects(frame: Frame, x: number, y: number, scale: number, total: number): string[] {
  const width = frame.micros * scale
  const share = `${((frame.micros / total) * 100).toFixed(1)} %`
  const letters = Math.floor((width - 4) / LETTER)
  const label = letters < 3 ? '' : shortened(frame.name, letters)
  const own = [
    `<g><title>${escaped(`${frame.name}: ${share}`)}</title>`,
    `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.2, width - 0.4).toFixed(1)}" height="${ROW - 1}" ` +
      `fill="${COLOURS[frame.room]}"/>`,
    label ? `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(label)}</text></g>` : '</g>',
  ]
  let left = x
  return [
    own.join(''),
    ...frame.children.flatMap((child) => {
      const drawn = rects(child, left, y + ROW, scale, total)
      left += child.micros * scale
      return drawn
    }),
  ]
}

/** What is too narrow to be seen is put together by room, without what is below it. */
function pruned(frame: Frame, smallest: number): Frame {
  const wide = frame.children.filter((child) => child.micros >= smallest).map((child) => pruned(child, smallest))
  const narrow = frame.children
    .filter((child) => child.micros < smallest)
    .map((child): Frame => ({ ...child, name: '(small)', children: [] }))
  return { ...frame, children: merged([...wide, ...merged(narrow).filter((child) => child.micros >= smallest)]) }
}

function depthOf(frame: Frame): number {
  return 1 + Math.max(0, ...frame.children.map(depthOf))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function shortened(name: string, letters: number): string {
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}\u2026`
}
