// breaks: web-features-are-apart
import '../inbox/row.ts'
