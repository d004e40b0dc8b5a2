// Copies the newest mentions of Earshot into the sheet "Mentions" of a Google spreadsheet.
// Script properties: EARSHOT_URL, EARSHOT_API_KEY (read scope is enough), and EARSHOT_QUERY with conditions of the list of
// mentions, such as viewId=vw_... or relevant=true. Run it by a time-driven trigger, at most every few minutes.

// biome-ignore lint/correctness/noUnusedVariables: Google runs it by its name
function copyMentions() {
  const properties = PropertiesService.getScriptProperties()
  const address = properties.getProperty('EARSHOT_URL') + '/v1/mentions/export.csv?sort=newest&limit=1000&'
  const reply = UrlFetchApp.fetch(address + (properties.getProperty('EARSHOT_QUERY') || ''), {
    headers: { Authorization: 'Bearer ' + properties.getProperty('EARSHOT_API_KEY') },
  })
  // Cells that begin like a formula have an apostrophe in front, so that the texts of strangers stay texts.
  const rows = Utilities.parseCsv(reply.getContentText('UTF-8'))
  const book = SpreadsheetApp.getActive()
  const sheet = book.getSheetByName('Mentions') || book.insertSheet('Mentions')
  sheet.clearContents()
  sheet.getRange(1, 1, rows.length, rows[0].length).setValues(rows)
}
