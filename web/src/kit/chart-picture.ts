import { saveFile } from './save-file.ts'

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const PLAIN = `13px ${FONT}`
const EDGE = 24
const HEAD = 72
const LEGEND_LINE = 22
const BAR_LINE = 30
const SCALE = 2

interface Legend {
  label: string
  /** A custom property such as `--series-1`. */
  colour: string
}

export interface PictureHead {
  title: string
  note: string
}

/** The colour of a custom property in the theme that is shown. */
export function colourOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim()
}

/** A picture of a drawn chart with its title and legend. */
export function paintChart(head: PictureHead, chart: HTMLCanvasElement, legend: readonly Legend[]): HTMLCanvasElement {
  const width = chart.clientWidth + EDGE * 2
  const lines = legendLines(legend, width - EDGE * 2)
  const picture = blank(width, HEAD + chart.clientHeight + 12 + lines.length * LEGEND_LINE + EDGE)
  const pen = penOf(picture, head)
  pen.drawImage(chart, EDGE, HEAD, chart.clientWidth, chart.clientHeight)
  lines.forEach((line, index) => {
    const top = HEAD + chart.clientHeight + 12 + index * LEGEND_LINE
    for (const { left, label, colour } of line) {
      pen.fillStyle = colourOf(colour)
      pen.fillRect(left + EDGE, top + 4, 10, 10)
      write(pen, label, { left: left + EDGE + 16, base: top + 13 })
    }
  })
  return picture
}

interface PaintedBar {
  label: string
  value: number
  text: string
  colour: string
}

/** A picture of bars below each other. */
export function paintBars(head: PictureHead, bars: readonly PaintedBar[]): HTMLCanvasElement {
  const [width, label, figure] = [800, 220, 110]
  const picture = blank(width, HEAD + bars.length * BAR_LINE + EDGE)
  const pen = penOf(picture, head)
  const most = Math.max(1, ...bars.map(({ value }) => value))
  bars.forEach((bar, index) => {
    const middle = HEAD + index * BAR_LINE + BAR_LINE / 2
    write(pen, bar.label, { left: EDGE, base: middle + 4, room: label - 12 })
    pen.fillStyle = colourOf(bar.colour)
    const room = width - EDGE * 2 - label - figure
    pen.fillRect(EDGE + label, middle - 8, (bar.value / most) * room, 16)
    const left = EDGE + label + (bar.value / most) * room + 8
    write(pen, bar.text, { left, base: middle + 4, colour: '--quiet', room: figure })
  })
  return picture
}

export function savePicture(name: string, picture: HTMLCanvasElement): void {
  picture.toBlob((content) => content !== null && saveFile(name, content), 'image/png')
}

function blank(width: number, height: number): HTMLCanvasElement {
  const picture = document.createElement('canvas')
  picture.width = width * SCALE
  picture.height = height * SCALE
  return picture
}

function penOf(picture: HTMLCanvasElement, { title, note }: PictureHead): CanvasRenderingContext2D {
  const pen = picture.getContext('2d')!
  pen.scale(SCALE, SCALE)
  pen.fillStyle = colourOf('--sheet')
  pen.fillRect(0, 0, picture.width, picture.height)
  const room = picture.width / SCALE - EDGE * 2
  write(pen, title, { left: EDGE, base: 34, room, font: `600 18px ${FONT}` })
  write(pen, note, { left: EDGE, base: 54, colour: '--quiet', room })
  return pen
}

interface Line {
  left: number
  base: number
  colour?: string
  /** In px; longer texts are cut. */
  room?: number
  font?: string
}

function write(
  pen: CanvasRenderingContext2D,
  text: string,
  { left, base, colour = '--text', room, font = PLAIN }: Line,
): void {
  pen.font = font
  pen.fillStyle = colourOf(colour)
  pen.fillText(room === undefined ? text : fitted(pen, text, room), left, base)
}

/** The text, cut at its end where it is wider than the room. */
function fitted(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text
  const letters = [...text]
  while (letters.length > 0 && pen.measureText(`${letters.join('')}…`).width > room) letters.pop()
  return `${letters.join('')}…`
}

type PlacedLegend = Legend & { left: number }

function legendLines(legend: readonly Legend[], room: number): PlacedLegend[][] {
  const pen = document.createElement('canvas').getContext('2d')!
  pen.font = PLAIN
  const lines: PlacedLegend[][] = []
  let left = room
  for (const entry of legend) {
    const width = 16 + pen.measureText(entry.label).width + 18
    if (left + width > room) {
      lines.push([])
      left = 0
    }
    lines.at(-1)!.push({ ...entry, left })
    left += width
  }
  return lines
}
