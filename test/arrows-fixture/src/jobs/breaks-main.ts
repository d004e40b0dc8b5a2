// breaks: main-is-the-end
export * from '../main/cli.ts'
