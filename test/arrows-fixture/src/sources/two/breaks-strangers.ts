// breaks: adapters-are-strangers

export { one } from '../one/source.ts'
export { shared } from '../shared.ts'
