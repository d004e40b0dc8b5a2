export const round = 1
export * from './circle.ts'
