// Keeps a page for times without a connection, in browsers that can.
const { worker, scope } = document.currentScript.dataset
navigator.serviceWorker?.register(worker, { scope }).catch(() => {})
