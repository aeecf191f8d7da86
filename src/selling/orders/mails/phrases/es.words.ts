import type { Phrases } from './phrases.words.ts'

export const es: Phrases = {
  region: 'ES',
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  test: 'Prueba',
  testNotice: 'Esto es una prueba: no se ha comprado nada y no se cobrará nada.',
  ifButtonFails: 'Si el botón no funciona, abra esta dirección:',
  answer: '¿Tiene alguna pregunta? Solo tiene que responder a este correo.',
  address: 'Dirección de envío',
  confirmation: {
    subject: (order, shop) => `Su pedido ${order} en ${shop}`,
    title: 'Gracias por su pedido',
    text: (order, date) => `Hemos recibido su pedido ${order} del ${date}. Esto es lo que ha comprado:`,
    item: 'Artículo',
    price: 'Precio',
    subtotal: 'Subtotal',
    discount: (code) => `Descuento (${code})`,
    shipping: (way) => (way === '' ? 'Envío' : `Envío (${way})`),
    total: 'Total',
    tax: (rate) => `incluye IVA del ${rate}`,
    invoiceNumber: (number) => `Número de factura: ${number}`,
    purchaseOrder: (number) => `Su orden de compra: ${number}`,
    vatId: (id) => `NIF-IVA: ${id}`,
    reverseCharge: 'Inversión del sujeto pasivo: el IVA lo debe el destinatario.',
    preOrder: 'Aún no publicado',
    code: (code) => `Código: ${code}`,
    keepCodes: 'Quien tenga un código puede canjearlo: guárdelo bien.',
    withdrawal: 'Derecho de desistimiento',
    use: { watch: 'Ver ahora', listen: 'Escuchar ahora', read: 'Leer ahora', open: 'Abrir mis contenidos' },
    withdrawHere: 'Para desistir de la compra de artículos, abre esta dirección:',
    usableFrom: (date) =>
      `Podrá usar los contenidos digitales a partir del ${date}, cuando termine el plazo de desistimiento.`,
    textsLeftOut: 'Hay más que decir sobre estos artículos de lo que cabe en un correo. Por favor, pregúntenos.',
  },
  cancellation: {
    subject: (order, shop) => `Su pedido ${order} en ${shop} se ha cancelado`,
    title: 'Su pedido se ha cancelado',
    text: (order, date) => `Hemos cancelado su pedido ${order} del ${date}.`,
    unpaid: 'La factura queda sin efecto: ya no tiene que pagarla.',
    items: 'Cancelado',
  },
  refund: {
    subject: (order, shop) => `Reembolso de su pedido ${order} en ${shop}`,
    title: 'Su reembolso',
    text: (amount, order, date) => `Le hemos reembolsado ${amount} de su pedido ${order} del ${date}.`,
    withoutMoney: (order, date) => `Hemos aceptado la devolución de artículos de su pedido ${order} del ${date}.`,
    returned: 'Devuelto',
  },
  shipment: {
    subject: (order, shop) => `Su pedido ${order} en ${shop} está en camino`,
    title: 'Su pedido está en camino',
    text: (order, date) => `Hemos enviado los artículos de su pedido ${order} del ${date}.`,
    contents: 'En este envío',
    carrier: (company) => `Transportista: ${company}`,
    trackingNumber: (number) => `Número de seguimiento: ${number}`,
    track: 'Seguir el envío',
  },
  stock: {
    subject: (product) => `Existencias bajas: ${product}`,
    title: 'Quedan pocas existencias',
    text: (product, count, number) => {
      if (count === 0) return `${product} está agotado.`
      return count === 1 ? `Solo queda una unidad de ${product}.` : `Solo quedan ${number} unidades de ${product}.`
    },
    product: (productId) => `Producto: ${productId}`,
    why: 'Recibe este correo porque las existencias han bajado del nivel a partir del cual desea que se le avise.',
  },
}
