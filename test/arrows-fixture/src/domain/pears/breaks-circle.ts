// breaks: no-folder-circles
export * from '../apples/apple.ts'
