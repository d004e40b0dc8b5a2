import { createContext } from 'react'

/** Whether a part stands in a row of a grid, which is one stop of the Tab key as a whole. */
export const InsideRow = createContext(false)
