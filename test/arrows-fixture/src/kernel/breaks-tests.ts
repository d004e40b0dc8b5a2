// breaks: tests-are-ends
export * from './base.test.ts'
