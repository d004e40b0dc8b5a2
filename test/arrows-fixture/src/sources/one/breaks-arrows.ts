// breaks: arrows-of-sources
export * from '../../store/rows.ts'
