import './circle.ts'

export const round = 1
