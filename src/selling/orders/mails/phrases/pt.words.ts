import type { Phrases } from './phrases.words.ts'

export const pt: Phrases = {
  region: 'PT',
  hello: (name) => (name === '' ? 'Olá,' : `Olá, ${name},`),
  test: 'Teste',
  testNotice: 'Isto é um teste: nada foi comprado e nada será cobrado.',
  ifButtonFails: 'Se o botão não funcionar, abra este endereço:',
  answer: 'Tem perguntas? Basta responder a este e-mail.',
  address: 'Endereço de entrega',
  confirmation: {
    subject: (order, shop) => `O seu pedido ${order} em ${shop}`,
    title: 'Obrigado pelo seu pedido',
    text: (order, date) => `Recebemos o seu pedido ${order} de ${date}. Eis o que comprou:`,
    item: 'Artigo',
    price: 'Preço',
    subtotal: 'Subtotal',
    discount: (code) => `Desconto (${code})`,
    shipping: (way) => (way === '' ? 'Envio' : `Envio (${way})`),
    total: 'Total',
    tax: (rate) => `inclui IVA de ${rate}`,
    invoiceNumber: (number) => `Número da fatura: ${number}`,
    purchaseOrder: (number) => `A sua ordem de compra: ${number}`,
    vatId: (id) => `NIF: ${id}`,
    reverseCharge: 'Autoliquidação: o IVA é devido pelo adquirente.',
    preOrder: 'Ainda não lançado',
    code: (code) => `Código: ${code}`,
    keepCodes: 'Quem tiver um código pode resgatá-lo: guarde-o bem.',
    withdrawal: 'Direito de livre resolução',
    use: { watch: 'Assistir agora', listen: 'Ouvir agora', read: 'Ler agora', open: 'Abrir meus conteúdos' },
    withdrawHere: 'Para resolver a compra de artigos, abra este endereço:',
    usableFrom: (date) =>
      `Pode usar os conteúdos digitais a partir de ${date}, quando terminar o prazo de livre resolução.`,
    textsLeftOut: 'Há mais a dizer sobre estes artigos do que cabe num e-mail. Pergunte-nos, por favor.',
  },
  cancellation: {
    subject: (order, shop) => `O seu pedido ${order} em ${shop} foi cancelado`,
    title: 'O seu pedido foi cancelado',
    text: (order, date) => `Cancelámos o seu pedido ${order} de ${date}.`,
    unpaid: 'A fatura fica sem efeito: já não tem de a pagar.',
    items: 'Cancelado',
  },
  refund: {
    subject: (order, shop) => `Reembolso do seu pedido ${order} em ${shop}`,
    title: 'O seu reembolso',
    text: (amount, order, date) => `Reembolsámos ${amount} do seu pedido ${order} de ${date}.`,
    withoutMoney: (order, date) => `Aceitámos a devolução de artigos do seu pedido ${order} de ${date}.`,
    returned: 'Devolvido',
  },
  shipment: {
    subject: (order, shop) => `O seu pedido ${order} em ${shop} está a caminho`,
    title: 'O seu pedido está a caminho',
    text: (order, date) => `Enviámos os artigos do seu pedido ${order} de ${date}.`,
    contents: 'Nesta remessa',
    carrier: (company) => `Transportadora: ${company}`,
    trackingNumber: (number) => `Número de rastreio: ${number}`,
    track: 'Seguir a remessa',
  },
  stock: {
    subject: (product) => `Stock baixo: ${product}`,
    title: 'Um stock está a esgotar-se',
    text: (product, count, number) => {
      if (count === 0) return `${product} está esgotado.`
      return count === 1 ? `Só resta uma unidade de ${product}.` : `Só restam ${number} unidades de ${product}.`
    },
    product: (productId) => `Produto: ${productId}`,
    why: 'Recebe este e-mail porque o stock desceu abaixo do nível a partir do qual deseja ser avisado.',
  },
}
