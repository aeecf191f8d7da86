import type { Phrases } from './phrases.words.ts'

export const fr: Phrases = {
  region: 'FR',
  hello: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  test: 'Test',
  testNotice: 'Ceci est un test : rien n’a été acheté et rien ne sera facturé.',
  ifButtonFails: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  answer: 'Des questions ? Il suffit de répondre à cet e-mail.',
  address: 'Adresse de livraison',
  confirmation: {
    subject: (order, shop) => `Votre commande ${order} chez ${shop}`,
    title: 'Merci pour votre commande',
    text: (order, date) => `Nous avons bien reçu votre commande ${order} du ${date}. Voici ce que vous avez acheté :`,
    item: 'Article',
    price: 'Prix',
    subtotal: 'Sous-total',
    discount: (code) => `Remise (${code})`,
    shipping: (way) => (way === '' ? 'Livraison' : `Livraison (${way})`),
    total: 'Total',
    tax: (rate) => `dont TVA ${rate}`,
    invoiceNumber: (number) => `Numéro de facture : ${number}`,
    purchaseOrder: (number) => `Votre bon de commande : ${number}`,
    vatId: (id) => `N° de TVA : ${id}`,
    reverseCharge: 'Autoliquidation : la TVA est due par le preneur.',
    preOrder: 'Pas encore paru',
    code: (code) => `Code : ${code}`,
    keepCodes: 'Toute personne qui a un code peut l’utiliser : gardez-le bien.',
    withdrawal: 'Droit de rétractation',
    use: {
      watch: 'Regarder maintenant',
      listen: 'Écouter maintenant',
      read: 'Lire maintenant',
      open: 'Ouvrir mes contenus',
    },
    withdrawHere: 'Pour vous rétracter d’un achat d’articles, ouvrez cette adresse :',
    usableFrom: (date) =>
      `Vous pourrez utiliser les contenus numériques à partir du ${date}, à la fin du délai de rétractation.`,
    textsLeftOut: 'Il y a plus à dire sur ces articles que ce qui tient dans un e-mail. Écrivez-nous.',
  },
  cancellation: {
    subject: (order, shop) => `Votre commande ${order} chez ${shop} a été annulée`,
    title: 'Votre commande a été annulée',
    text: (order, date) => `Nous avons annulé votre commande ${order} du ${date}.`,
    unpaid: 'La facture est sans objet : vous n’avez plus à la payer.',
    items: 'Annulé',
  },
  refund: {
    subject: (order, shop) => `Remboursement de votre commande ${order} chez ${shop}`,
    title: 'Votre remboursement',
    text: (amount, order, date) => `Nous vous avons remboursé ${amount} pour votre commande ${order} du ${date}.`,
    withoutMoney: (order, date) => `Nous avons repris des articles de votre commande ${order} du ${date}.`,
    returned: 'Articles repris',
  },
  shipment: {
    subject: (order, shop) => `Votre commande ${order} chez ${shop} est en route`,
    title: 'Votre commande est en route',
    text: (order, date) => `Nous avons expédié les articles de votre commande ${order} du ${date}.`,
    contents: 'Dans le colis',
    carrier: (company) => `Transporteur : ${company}`,
    trackingNumber: (number) => `Numéro de suivi : ${number}`,
    track: 'Suivre le colis',
  },
  stock: {
    subject: (product) => `Stock faible : ${product}`,
    title: 'Un stock s’épuise',
    text: (product, count, number) => {
      if (count === 0) return `${product} est épuisé.`
      return count === 1
        ? `Il ne reste qu’un exemplaire de ${product}.`
        : `Il ne reste que ${number} exemplaires de ${product}.`
    },
    product: (productId) => `Produit : ${productId}`,
    why: 'Vous recevez cet e-mail parce que le stock est passé sous le seuil auquel vous souhaitez être averti.',
  },
}
