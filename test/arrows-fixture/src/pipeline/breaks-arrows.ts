// breaks: arrows-of-pipeline
export { act } from '../commands/act.ts'
export { shared } from '../sources/shared.ts'
