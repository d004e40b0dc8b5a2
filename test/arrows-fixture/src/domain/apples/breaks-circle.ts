// breaks: no-folder-circles
export * from '../pears/pear.ts'
