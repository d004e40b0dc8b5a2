// breaks: rooms-are-known
export * from '../kernel/base.ts'
