// breaks: web-is-a-client
import '../../../src/kernel/base.ts'
