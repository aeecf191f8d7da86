// Shows products while somebody types. Without this script the form leads to the same results.
const form = document.querySelector('form.find')
const field = form?.querySelector('input')
const list = form?.querySelector('.suggestions')
const WAIT_MS = 150
let timer
let latest

async function suggest() {
  const words = field.value.trim()
  latest = words
  if (words.length < 2) return show([])
  try {
    const answer = await fetch(`${form.dataset.suggestions}?q=${encodeURIComponent(words)}`)
    const { suggestions } = await answer.json()
    if (words === latest) show(suggestions)
  } catch {
    show([])
  }
}

function show(suggestions) {
  list.replaceChildren(
    ...suggestions.map(({ title, url }) => {
      const link = document.createElement('a')
      link.href = url
      link.textContent = title
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  list.hidden = suggestions.length === 0
}

field?.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(suggest, WAIT_MS)
})
field?.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') show([])
})
