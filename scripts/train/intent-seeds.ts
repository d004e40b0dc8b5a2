import type { Intent } from '../../src/domain/mention/classification.ts'

/**
 * Sentences written for this project, one a line, for purposes and languages of which the labelled sets hold little or
 * nothing. `{}` stands for a name. A line teaches its own purpose, and that it has none of the others; `none` has none.
 */
const SENTENCES: Record<Intent | 'none', string> = {
  churn_intent: `I am leaving {} at the end of the month
    we are leaving {} for a competitor
    I will cancel my {} subscription today
    just cancelled my {} account after three years
    I want to cancel my contract, how do I do that
    I have had enough, I am switching to another provider
    thinking about switching from {} to something else
    if this is not fixed by Friday I will leave
    fix it or I am gone
    time to look for another provider
    I am done with {}, moving everything elsewhere
    we moved our whole team away from {}
    {} lost a customer today, I quit
    goodbye {}, it was nice while it lasted
    I deleted the app and closed my account
    I am not going to renew my {} plan
    my contract with {} ends next month and I will not renew it
    I have to quit {}, it is too expensive
    please terminate my contract immediately
    I will never use {} again, going back to the old one
    I am about to drop {} and go with someone else
    uninstalled {} and never looked back
    migrating off {} this quarter
    stopped using {} last week
    looking for an alternative to {} because I want out
    how can I get out of my contract with {}
    you give me a better price or I am leaving
    I would rather change to a different operator
    ich werde {} verlassen
    ich kündige meinen Vertrag bei {}
    ich habe mein Abo gekündigt
    ich will kündigen, wie geht das
    ich wechsle zu einem anderen Anbieter
    ich möchte meinen Vertrag kündigen
    wir wechseln weg von {}
    ich bin weg wenn das so weitergeht
    nächsten Monat wechsle ich den Anbieter
    bei {} höre ich auf, es reicht
    me voy de {}, ya no aguanto más
    voy a cancelar mi suscripción a {}
    he dado de baja mi cuenta
    quiero darme de baja
    me cambio de compañía
    je quitte {} à la fin du mois
    je vais résilier mon abonnement {}
    j'ai résilié mon contrat
    je change d'opérateur
    vou cancelar minha assinatura do {}
    cancelei minha conta no {}
    vou trocar de operadora
    lascio {} a fine mese
    ho disdetto il mio abbonamento a {}
    voglio disdire il contratto`,
  pricing: `how much does {} cost per month
    the price of {} went up again
    {} is far too expensive for a small team
    $20 a month per seat is a lot for {}
    is there a free plan or only a paid one
    they raised their prices by 30 percent
    what does the pro plan cost
    the pricing page of {} is confusing
    {} is cheaper than I expected
    they charge extra for every user
    the new subscription fee is ridiculous
    is {} worth the money
    I was charged twice this month
    the free tier is quite generous
    {} pricing changed without notice
    paying 99 dollars a year for {} feels fair
    too pricey for what it does
    do students get a discount
    wie viel kostet {} im Monat
    {} ist viel zu teuer geworden
    der Preis von {} wurde erhöht
    die Preise sind gestiegen
    cuánto cuesta {} al mes
    {} es demasiado caro
    subieron los precios de {}
    combien coûte {} par mois
    {} est beaucoup trop cher
    les prix de {} ont augmenté
    quanto custa o {} por mês
    {} está muito caro
    o preço do {} subiu
    quanto costa {} al mese
    {} è troppo caro
    i prezzi di {} sono aumentati`,
  question: `can anyone tell me how to set up {}
    does anyone know whether {} works offline
    how do I reset my password in {}
    is it possible to export data from {}
    what is the difference between the two plans of {}
    has anyone tried {} with a large team?
    why does {} need access to my contacts?
    where can I find the settings of {}?
    which version of {} should I install?
    any idea why {} does this?
    what do you think of {}?
    is {} down for anyone else?
    weiß jemand, wie man {} einrichtet?
    kann mir jemand mit {} helfen?
    wie kann ich mein Passwort bei {} ändern?
    hat jemand Erfahrung mit {}?
    alguien sabe cómo configurar {}?
    cómo puedo exportar mis datos de {}?
    alguien ha probado {}?
    quelqu'un sait comment configurer {} ?
    comment faire pour exporter mes données de {} ?
    est-ce que quelqu'un a essayé {} ?
    alguém sabe como configurar o {}?
    como faço para exportar meus dados do {}?
    alguém já usou {}?
    qualcuno sa come configurare {}?
    come posso esportare i miei dati da {}?
    qualcuno ha provato {}?`,
  feedback: `it would be great if {} had a dark mode
    please add an export button to {}
    I wish {} would support two screens
    would love to see an offline mode in {}
    {} should let me choose the folder
    the only thing missing in {} is a calendar view
    feature request: shortcuts for {}
    could you please add support for other languages
    allow us to sort the list by date
    make it possible to undo
    an option to hide the sidebar would be nice
    there should be a way to merge two accounts
    my suggestion: show the time in the header
    es wäre schön, wenn {} einen dunklen Modus hätte
    bitte fügt eine Exportfunktion hinzu
    ich wünsche mir mehr Einstellungen in {}
    mir fehlt in {} eine Suche
    sería genial que {} tuviera modo oscuro
    por favor agreguen una opción para exportar
    estaría bien poder ordenar la lista
    ce serait bien si {} avait un mode sombre
    merci d'ajouter une option d'export
    il manque une fonction de recherche
    seria ótimo se o {} tivesse modo escuro
    por favor adicionem uma opção para exportar
    falta uma função de busca
    sarebbe bello se {} avesse la modalità scura
    per favore aggiungete l'esportazione
    manca una funzione di ricerca`,
  bug_report: `{} crashes every time I open it
    {} keeps freezing since the last update
    I get an error message when I log in to {}
    the app does not load any more
    sync is broken in the latest version of {}
    {} shows a blank screen after the update
    the button does nothing when I tap it
    since version 4.2 the export fails with error 500
    {} won't start on my phone
    notifications stopped working
    expected behavior: the file is saved, actual behavior: nothing happens
    steps to reproduce: open the page, click save, see error
    describe the bug: the dialog does not close
    uncaught TypeError when I run {} on Windows
    exception thrown in the console, stack trace below
    {} stürzt beim Start ständig ab
    seit dem letzten Update funktioniert {} nicht mehr
    ich bekomme immer eine Fehlermeldung in {}
    die App lädt nicht mehr
    {} se cierra solo cada vez que lo abro
    desde la última actualización {} no funciona
    me sale un mensaje de error al iniciar sesión
    {} plante à chaque démarrage
    depuis la mise à jour {} ne fonctionne plus
    j'ai un message d'erreur quand je me connecte
    o {} trava toda vez que abro
    desde a última atualização o {} não funciona
    aparece uma mensagem de erro ao entrar
    {} si blocca ogni volta che lo apro
    dopo l'ultimo aggiornamento {} non funziona più
    ricevo un messaggio di errore quando accedo`,
  buy_intent: `I am going to buy {} this weekend
    thinking of buying {}, any advice
    looking for a tool like {} for my team, any recommendations
    just ordered {}, can not wait
    I need a new laptop, should I get {}
    we are evaluating {} for our company
    I want to sign up for {}, which plan is best
    I want {} so bad
    where can I buy {}
    saving up for {}
    ready to buy {} as soon as it is out
    can you recommend a good alternative, budget is 500
    ich überlege mir {} zu kaufen
    ich werde mir {} kaufen
    suche ein Programm wie {}, was könnt ihr empfehlen
    wo kann ich {} kaufen
    estoy pensando en comprar {}
    quiero comprar {}
    busco una herramienta como {}, qué me recomiendan
    je pense acheter {}
    je veux acheter {}
    je cherche un outil comme {}, que me conseillez-vous
    estou pensando em comprar {}
    quero comprar {}
    procuro uma ferramenta como {}, o que recomendam
    sto pensando di comprare {}
    voglio comprare {}
    cerco uno strumento come {}, cosa consigliate`,
  event: `join us for the {} webinar on Thursday
    see you at the {} conference in Berlin next week
    register now for our free workshop on {}
    we are hosting a {} meetup on Friday at 7pm
    speaking at the {} summit tomorrow, come by booth 12
    tickets for the {} user conference are on sale
    live stream of the {} keynote starts at 10am
    RSVP for the {} community meetup
    save the date: {} day on 12 May
    the {} hackathon takes place this weekend
    kommt zu unserem Webinar über {} am Donnerstag
    jetzt anmelden zur {} Konferenz in Berlin
    wir sehen uns auf der Messe, Stand 12
    únete a nuestro webinar sobre {} el jueves
    inscríbete en la conferencia de {} en Madrid
    nos vemos en el evento de {}
    rejoignez notre webinaire sur {} jeudi
    inscrivez-vous à la conférence {} à Paris
    rendez-vous au salon la semaine prochaine
    participe do nosso webinar sobre {} na quinta
    inscreva-se na conferência {} em São Paulo
    partecipa al nostro webinar su {} giovedì
    iscriviti alla conferenza {} a Milano`,
  hiring: `we are hiring a backend engineer at {}
    {} is hiring a product manager in London
    join our team at {}, we have open positions
    looking for a senior developer with {} experience, apply now
    job opening: customer success manager at {}
    my team at {} is growing, send me your CV
    remote job: frontend engineer, salary up to 90k
    internship at {} this summer, apply by May
    wir suchen einen Entwickler für {}
    {} stellt ein: Vertriebsmitarbeiter in Hamburg
    jetzt bewerben bei {}
    estamos contratando desarrolladores en {}
    {} busca ingeniero de datos en Madrid
    oferta de empleo en {}
    nous recrutons un développeur chez {}
    {} recrute un chef de projet à Lyon
    offre d'emploi chez {}
    estamos contratando desenvolvedores na {}
    vaga de emprego na {}
    stiamo assumendo sviluppatori in {}
    offerta di lavoro presso {}`,
  launch: `we just launched {} 2.0
    introducing {}, a new way to plan your week
    {} is now available on Android
    today we are releasing version 3 of {}
    {} announces a new tablet
    excited to share that {} is live
    I built a small tool for {}, here it is
    {} unveils its first electric car
    {} 4.0 is out, see the changelog
    the public beta of {} is open
    heute starten wir {}
    {} ist jetzt verfügbar
    wir haben {} 2.0 veröffentlicht
    {} stellt ein neues Modell vor
    presentamos {}, nuestra nueva aplicación
    {} ya está disponible
    {} lanza un nuevo modelo
    nous lançons {} aujourd'hui
    {} est maintenant disponible
    {} dévoile son nouveau modèle
    lançamos o {} 2.0 hoje
    {} já está disponível
    abbiamo lanciato {} 2.0
    {} è ora disponibile
    {} presenta il nuovo modello`,
  industry_insight: `{} market share grew to 30 percent in the third quarter
    analysts expect {} to report revenue of 2 billion
    the market for such tools will double by 2030, says a study
    according to a new survey, most companies plan to adopt {}
    {} acquires a smaller rival for 300 million
    shares of {} fell after the earnings report
    why {} is winning the race for small businesses
    five trends that will shape the industry next year
    what the rise of {} means for retailers
    regulators open an investigation into {}
    der Marktanteil von {} stieg im dritten Quartal
    laut einer Studie wächst der Markt um 20 Prozent
    {} übernimmt einen Konkurrenten
    la cuota de mercado de {} creció en el tercer trimestre
    según un estudio, el mercado crecerá un 20 por ciento
    la part de marché de {} progresse au troisième trimestre
    selon une étude, le marché va doubler
    a participação de mercado da {} cresceu no terceiro trimestre
    segundo um estudo, o mercado vai crescer
    la quota di mercato di {} è cresciuta nel terzo trimestre
    secondo uno studio il mercato crescerà`,
  promotional: `use code SAVE20 for 20% off {}
    buy now and get free shipping
    limited time offer: half price on {}
    check out my channel and subscribe
    follow us and retweet to win {}
    get {} for free, click the link in bio
    huge sale on {} this weekend only
    earn money from home, visit my website
    subscribe to my channel for more {} videos
    giveaway: win one of five {}
    jetzt kaufen und 20% sparen
    nur heute: {} zum halben Preis
    gewinnt ein {}, folgt uns einfach
    compra ahora y llévate envío gratis
    usa el código AHORRA20 para un 20% de descuento
    sígueme y participa en el sorteo de {}
    achetez maintenant, livraison gratuite
    code promo SAVE20 pour 20% de réduction sur {}
    abonne-toi à ma chaîne
    compre agora com frete grátis
    use o cupom SAVE20 para 20% de desconto
    inscreva-se no meu canal
    acquista ora, spedizione gratuita
    usa il codice SAVE20 per il 20% di sconto
    iscriviti al mio canale`,
  testimonial: `I have been using {} for two years and it saves me hours every week
    we use {} every day in our team
    since I started using {} my notes are finally in order
    {} helped me to finish my thesis
    I switched to {} last year and would not go back
    in my experience {} works well for small teams
    I use {} daily for my work
    {} has changed how we plan our projects
    after six months with {} I can say it does what it promises
    ich benutze {} seit zwei Jahren jeden Tag
    wir arbeiten seit einem Jahr mit {}
    {} hat mir sehr geholfen
    uso {} desde hace dos años todos los días
    {} me ha ayudado mucho en mi trabajo
    j'utilise {} depuis deux ans tous les jours
    {} m'a beaucoup aidé dans mon travail
    uso o {} há dois anos todos os dias
    o {} me ajudou muito no trabalho
    uso {} da due anni ogni giorno
    {} mi ha aiutato molto nel lavoro`,
  comparison: `{} or Globex, which one is better
    {} vs Globex for small teams
    {} is faster than Globex
    Globex is cheaper than {}
    compared to {}, Globex is easier to use
    the main difference between {} and Globex
    I prefer {} over Globex
    {} ist besser als Globex
    {} oder Globex, was ist besser
    {} im Vergleich mit Globex
    {} es mejor que Globex
    {} o Globex, cuál es mejor
    {} comparado con Globex
    {} est meilleur que Globex
    {} ou Globex, lequel est le meilleur
    {} par rapport à Globex
    {} é melhor que Globex
    {} ou Globex, qual é melhor
    {} è meglio di Globex
    {} o Globex, qual è meglio`,
  praise: `{} ist super, ich bin begeistert
    ich liebe {}, sehr zu empfehlen
    toller Service von {}, vielen Dank
    {} es excelente, me encanta
    muy buen servicio de {}, lo recomiendo
    gracias {}, funciona perfecto
    {} est génial, je recommande
    super service de {}, merci beaucoup
    j'adore {}, c'est parfait
    {} é ótimo, recomendo
    adoro o {}, funciona perfeitamente
    obrigado {}, excelente atendimento
    {} è fantastico, lo consiglio
    adoro {}, funziona benissimo
    grazie {}, ottimo servizio`,
  complaint: `{} ist eine Katastrophe, nie wieder
    schlechter Service bei {}, ich bin sehr enttäuscht
    {} meldet sich nicht, unverschämt
    {} es un desastre, muy mal servicio
    pésima atención de {}, nadie responde
    estoy muy decepcionado con {}
    {} est une catastrophe, très déçu
    service client de {} lamentable, aucune réponse
    c'est inadmissible {}, toujours rien reçu
    {} é péssimo, atendimento horrível
    muito decepcionado com o {}, ninguém responde
    {} é um lixo, não recomendo
    {} è pessimo, servizio clienti inesistente
    molto deluso da {}, nessuno risponde
    vergogna {}, ancora nessuna risposta`,
  none: `I quit smoking last year
    leaving the house now, see you later
    she left early because of the rain
    I am with {} since last year
    good morning everyone
    I opened {} this morning
    {} is in the news today
    we watched the game with {} on the big screen
    my brother works at {}
    the {} building is on the left side of the street
    which offers do you have for new customers
    I would like to become a customer of {}
    I want to join {}
    people at {} are the worst
    I am not a fan of {}
    heute war ich bei {} in der Stadt
    ich bin seit Jahren Kunde bei {}
    welche Angebote habt ihr
    guten Morgen zusammen
    hoy estuve en {} con mis amigos
    buenos días a todos
    aujourd'hui je suis passé chez {}
    bonjour à tous
    hoje passei na {} com amigos
    bom dia a todos
    oggi sono passato da {}
    buongiorno a tutti`,
}

export interface PurposeSeed {
  text: string
  purpose: Intent | 'none'
}

/** The sentences with names filled in. */
export function purposeSeeds(): PurposeSeed[] {
  return (Object.keys(SENTENCES) as (Intent | 'none')[]).flatMap((purpose) =>
    SENTENCES[purpose]
      .split('\n')
      .map((line, at) => ({ text: line.trim().replaceAll('{}', NAMES[at % NAMES.length]!), purpose })),
  )
}

const NAMES = ['Acme', 'Initech', 'the app', 'Umbra', 'Contoso', 'my provider', '#acme', 'Fabrikam']
