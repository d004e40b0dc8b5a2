// breaks: no-cycles
export const circle = 1
export * from './round.ts'
