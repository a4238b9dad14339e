// Plays every seat of a game with the client that openapi-generator makes from openapi/openapi.json, one thread per seat.
//
//   tests/clients/run java      generates and compiles the client, then runs this program:
//   java -cp CLIENT examples/Play.java http://127.0.0.1:8080 mount-drago

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import wyrmgate.client.ApiClient;
import wyrmgate.client.ApiException;
import wyrmgate.client.api.GamesApi;
import wyrmgate.client.api.PlayApi;
import wyrmgate.client.api.SeatsApi;
import wyrmgate.client.api.SessionsApi;
import wyrmgate.client.model.Change;
import wyrmgate.client.model.ChangePage;
import wyrmgate.client.model.Decision;
import wyrmgate.client.model.MoveReceipt;
import wyrmgate.client.model.NewClaim;
import wyrmgate.client.model.NewMove;
import wyrmgate.client.model.NewSeat;
import wyrmgate.client.model.NewSession;
import wyrmgate.client.model.Outcome;
import wyrmgate.client.model.PlainSeat;

public class Play {
    static final List<String> ALL = List.of("actions", "view");
    static final Random RANDOM = new Random();

    static ApiClient client(String server, String token) {
        ApiClient client = new ApiClient();
        // Otherwise Java asks for HTTP/2 on an open connection, which the server does not speak.
        client.setHttpClientBuilder(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
        client.updateBaseUri(server);
        if (token != null) {
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        }
        return client;
    }

    /** Plays a seat to the end, with one request per move. */
    static Outcome play(PlayApi api, String session) throws ApiException {
        long version = 0;
        while (true) {
            // Waits until somebody has moved.
            ChangePage page = api.listEvents(session, Long.toString(version), 100, null, ALL, null, null, "wait=20", null, null, null);
            if (page.getItems().isEmpty()) {
                continue;
            }
            Change change = page.getItems().get(page.getItems().size() - 1);
            version = change.getVersion();
            Outcome outcome = change.getView().getOutcome();
            List<Decision> owed = change.getDecisions();
            while (outcome == null && !owed.isEmpty()) {
                var choices = owed.get(0).getChoices();
                NewMove move = new NewMove().id(choices.get(RANDOM.nextInt(choices.size())).getId());
                try {
                    MoveReceipt receipt = api.makeMove(session, move, ALL, null, null, null, null);
                    version = receipt.getVersion();
                    outcome = receipt.getView().getOutcome();
                    owed = receipt.getDecisions();
                } catch (ApiException refused) {
                    if (refused.getCode() != 412) { // 412: the session has changed meanwhile
                        throw refused;
                    }
                    owed = List.of();
                }
            }
            if (outcome != null) {
                return outcome;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        String server = arguments[0];
        String game = arguments[1];
        ApiClient nobody = client(server, null);
        int fewest = new GamesApi(nobody).getGame(game, null, "players").getPlayers().get(0);
        List<NewSeat> seats = IntStream.range(0, fewest).mapToObj(seat -> new NewSeat(PlainSeat.OPEN)).collect(Collectors.toList());
        String session = new SessionsApi(nobody).createSession(new NewSession().game(game).seats(seats), null, "id").getId();
        var threads = Executors.newFixedThreadPool(fewest);
        List<Callable<Outcome>> players = new ArrayList<>();
        for (int seat = 1; seat <= fewest; seat++) {
            var taken = new SeatsApi(nobody).claimSeat(session, seat, null, null, new NewClaim().name("Java " + seat));
            PlayApi api = new PlayApi(client(server, Objects.requireNonNull(taken.getToken())));
            players.add(() -> play(api, session));
        }
        Outcome outcome = threads.invokeAll(players).get(0).get();
        threads.shutdown();
        System.out.println(game + ": won by " + outcome.getWinners());
    }
}
