// Copies a text that nobody should have to type. Without script there is no button, and the text can be marked by hand.
for (const button of document.querySelectorAll('[data-copy]')) {
  const text = document.getElementById(button.dataset.copy)?.textContent ?? ''
  button.hidden = navigator.clipboard === undefined
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    const label = button.querySelector('[data-label]')
    label.textContent = button.dataset.done
    setTimeout(() => {
      label.textContent = button.dataset.label
    }, 2000)
  })
}
