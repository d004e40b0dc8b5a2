// breaks: arrows-of-web-kit
import '../api/client.ts'
