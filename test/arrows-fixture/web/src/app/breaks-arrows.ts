// breaks: arrows-of-web-app
import '../inbox/row.ts'
