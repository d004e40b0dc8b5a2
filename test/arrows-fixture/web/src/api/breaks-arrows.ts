// breaks: arrows-of-web-api
import '../app/frame.ts'
