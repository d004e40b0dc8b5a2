// The file is long because it is a list: reviews of apps without their stars, written for this project.

/** A review a line. */
const REVIEWS = {
  bug_report: `cannot sign in since the update, it says wrong password every time
the app closes itself when I open the camera
videos do not load anymore, only a black screen
notifications are not coming through on my phone
can't upload pictures, it gets stuck at 99 percent
keeps logging me out every few minutes
sound is gone after the latest version, please fix
it freezes on the loading screen and I have to restart
search shows no results no matter what I type
my messages disappear after sending
doesn't open on my tablet
unable to change my profile photo, the button does nothing
the payment page gives an error and I was still charged
widget does not refresh anymore
since yesterday it crashes on start
the map shows the wrong location all the time
can't hear the other person during calls
downloads fail halfway through
screen flickers when I scroll
the code for verification never arrives
stories won't play, it just keeps buffering
it says no internet connection although wifi works fine
backup could not be restored on the new phone
the keyboard covers the text field
reminders go off an hour late
comments do not show up under my posts
every time I try to save it goes back to the first page
game lost all my progress after the update
camera quality is blurry inside the app but fine outside of it
it does not sync with my watch any longer`,
  feedback: `please add a dark mode
would be great if we could sort the list by date
I wish there was a way to edit messages after sending
needs an option to turn off auto play
bring back the old layout
should have a landscape mode for tablets
it would be five stars if it had a widget
add more filters and stickers please
let us download videos to watch offline
can you make the font bigger
there should be a button to mark all as read
please support fingerprint login
I'd like to be able to choose my own ringtone
make it possible to use two accounts at once
we need a search inside of chats
kindly include Urdu as a language
could you allow longer videos
an undo button would help a lot
needs better privacy settings, like hiding the last seen
want an option to block ads for a small fee
why not add voice messages
it would be nice to see who viewed my profile
give us more themes to choose from
suggestion: let people pin their favourite songs
please increase the limit for file sizes
the only thing missing is a calendar view
allow us to delete several photos together
hope you add a version for desktop soon
remove the short videos from the home screen please
should let me turn off notifications for groups`,
  testimonial: `I use it every day to talk with my family abroad
helps me keep track of my spending and save money
great for editing photos, easy to use even for beginners
I have had this app for three years and it never let me down
it made learning Spanish fun for me and my kids
very useful for work meetings and sharing files with my team
I found old friends here after twenty years
makes it simple to send money to my parents
perfect to relax after work, the levels are challenging and not too hard
I can watch my shows anywhere, on the train or in bed
with it I lost ten pounds in two months
easy to find new music and make playlists for parties
my students hand in their homework with it and it works well
lots of features, clear layout and it runs fast on my old phone
it reminds me to take my pills on time
I like how it lets me organise my notes by colour
good way to meet people with the same hobbies
it taught me how to cook simple meals
navigation is accurate and saved me from traffic many times
I sell my paintings through it and reach customers everywhere
the video quality is good and calls are clear even on slow internet
smooth, user friendly and gives me news from around the world
it keeps me connected with my old classmates
best place for me to share my drawings and get feedback
I read a book a week now thanks to it
it is convenient to book tickets without standing in a line
my daughter loves the games and learns letters with them
the editor has everything I need for my small channel
I track my runs with it and it shows my progress nicely
it lets me work from home without trouble`,
  none: `good app
nice
love it
very bad
worst app ever
awesome
five stars
I hate this app
excellent
not good
best app in the world
great game, love it so much
waste of time
it's ok
super
this app is trash
amazing app, everybody should get it
don't download
so so
I like it
really nice app, thank you
horrible, zero stars
cool
the best
boring
perfect, I love this
useless
fantastic application
wow
do not install this garbage`,
} as const

export interface ReviewSeed {
  text: string
  purpose: keyof typeof REVIEWS
}

export function reviewSeeds(): ReviewSeed[] {
  return (Object.keys(REVIEWS) as ReviewSeed['purpose'][]).flatMap((purpose) =>
    REVIEWS[purpose].split('\n').map((text) => ({ text, purpose })),
  )
}
