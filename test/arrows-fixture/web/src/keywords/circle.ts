// breaks: web-no-cycles
import './round.ts'

export const circle = 1
